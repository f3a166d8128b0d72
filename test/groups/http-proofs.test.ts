import { runTogether } from '../support/run-together.ts';

await runTogether('test/http/{proofs,certificates,log}/*.test.ts');
