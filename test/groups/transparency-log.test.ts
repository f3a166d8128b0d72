import { runTogether } from '../support/run-together.ts';

await runTogether('test/transparency-log/{guard,publish,restore}/*.test.ts');
