import { runTogether } from '../support/run-together.ts';

await runTogether('test/projections/**/*.test.ts');
