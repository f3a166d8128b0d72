import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/telemetry/[!o]*.test.ts',
  'test/http/{limits,connections}/*.test.ts',
  'test/http/shares/s*.test.ts',
);
