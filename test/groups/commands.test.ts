import { runTogether } from '../support/run-together.ts';

await runTogether('test/{commands,subscriptions}/*.test.ts');
