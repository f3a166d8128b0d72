import { runTogether } from '../support/run-together.ts';

await runTogether('test/certificates/**/*.test.ts');
