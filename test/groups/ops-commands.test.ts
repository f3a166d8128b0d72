import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/ops/*.test.ts',
  'test/ops/{erasing,storage,terminal}/*.test.ts',
  'test/ops/verifying/[!h]*.test.ts',
);
