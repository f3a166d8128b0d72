import { runTogether } from '../support/run-together.ts';

await runTogether('test/ops/{bench,crash}/**/*.test.ts');
