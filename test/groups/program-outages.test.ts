import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/program/{amendment,database-went-back,documents-outage,ledger-outage,split-roles}.test.ts',
);
