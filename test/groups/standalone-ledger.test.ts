import { runTogether } from '../support/run-together.ts';

await runTogether('test/embedded/standalone-ledger/**/*.test.ts');
