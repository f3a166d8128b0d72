import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/event-store/**/*.test.ts',
  'test/loading/*.test.ts',
  'test/encrypted-files/*.test.ts',
  'test/projections/**/*.test.ts',
);
