import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/support/**/*.test.ts',
  'test/*.test.ts',
  'test/docs/*.test.ts',
  'test/pages/{certificate-saver,check-evidence,check-time,folder-files,issued-records,judge,judge-issued}.test.ts',
  'test/pages/{judge-issuer,judge-items,known-keys,ledger-answers,read-answer,read-server-answer}.test.ts',
  'test/pages/{read-verification,retry-later,texts}.test.ts',
);
