import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/http/{proofs,certificates,log}/*.test.ts',
  'test/http/runs/*.test.ts',
  'test/http/{webhooks,workspaces,keys,mcp,links,console}/*.test.ts',
);
