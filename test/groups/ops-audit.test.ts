import { runTogether } from '../support/run-together.ts';

await runTogether('test/ops/audit/**/*.test.ts', 'test/ops/{actions,following}/*.test.ts');
