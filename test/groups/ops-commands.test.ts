import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/ops/audit/*.test.ts',
  'test/ops/*.test.ts',
  'test/ops/{actions,erasing,following,storage,terminal}/*.test.ts',
  'test/ops/verifying/[!h]*.test.ts',
);
