import { runTogether } from '../support/run-together.ts';

await runTogether('test/http/{hostile,openapi,pages,quickstart}/*.test.ts');
