import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/support/**/*.test.ts',
  'test/*.test.ts',
  'test/docs/*.test.ts',
  'test/pages/{judge,judge-issued,judge-issuer,judge-items,known-keys,ledger-answers,read-answer,read-verification,texts}.test.ts',
);
