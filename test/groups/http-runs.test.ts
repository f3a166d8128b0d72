import { runTogether } from '../support/run-together.ts';

await runTogether('test/http/runs/*.test.ts');
