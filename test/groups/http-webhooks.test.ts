import { runTogether } from '../support/run-together.ts';

await runTogether('test/http/{webhooks,workspaces,keys}/*.test.ts');
