import { runTogether } from '../support/run-together.ts';

await runTogether('test/clients/typescript/*.test.ts');
