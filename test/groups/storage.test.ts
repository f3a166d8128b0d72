import { runTogether } from '../support/run-together.ts';

await runTogether('test/{storage,restore,threads,database-threads}/*.test.ts');
