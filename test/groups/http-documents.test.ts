import { runTogether } from '../support/run-together.ts';

await runTogether('test/http/{documents,reference}/*.test.ts');
