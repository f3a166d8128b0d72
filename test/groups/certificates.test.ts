import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/certificates/**/*.test.ts',
  'test/{storage,threads,database-threads}/*.test.ts',
);
