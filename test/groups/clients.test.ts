import { runTogether } from '../support/run-together.ts';

await runTogether('test/clients/{python,typescript}/*.test.ts');
