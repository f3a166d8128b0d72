import { runTogether } from '../support/run-together.ts';

await runTogether('test/reactors/**/*.test.ts');
