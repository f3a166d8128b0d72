import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/program/{attested,certificate-successors,interrupt,kill,takeover,webhooks-kill}.test.ts',
  'test/program/{amendment,database-went-back,documents-outage,ledger-outage,split-roles}.test.ts',
);
