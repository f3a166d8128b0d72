import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/support/**/*.test.ts',
  'test/*.test.ts',
  'test/docs/*.test.ts',
  'test/pages/{certificate-saver,check-evidence,check-time,folder-files,issued-records,judge,judge-checkpoint}.test.ts',
  'test/pages/{judge-issued,judge-issuer,judge-items,known-keys,ledger-answers,read-answer,read-server-answer}.test.ts',
  'test/pages/{prove-calls,read-verification,retry-later,texts}.test.ts',
);
