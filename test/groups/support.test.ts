import { runTogether } from '../support/run-together.ts';

await runTogether('test/support/**/*.test.ts');
