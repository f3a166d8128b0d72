import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/http/*.test.ts',
  'test/http/{errors,headers,middleware,receiving,calls,service}/*.test.ts',
  'test/http/{hostile,openapi,pages,quickstart}/*.test.ts',
);
