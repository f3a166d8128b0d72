import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/signals/*.test.ts',
  'test/embedded/*.test.ts',
  'test/embedded/postgres/*.test.ts',
  'test/byte-verification/[!h]*.test.ts',
  'test/embedded/standalone-ledger/**/*.test.ts',
);
