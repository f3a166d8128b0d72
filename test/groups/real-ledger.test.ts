import { runTogether } from '../support/run-together.ts';

await runTogether('test/real-ledger/*.test.ts');
