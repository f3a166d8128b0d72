import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/program/{audit,first-start,forged-log,operator,stranger,timestamped}.test.ts',
  'test/program/{earlier-release,erase,lost-published-log,published-log,rebuild,restore,restored,restored-twice}.test.ts',
  'test/program/{closed-folder,configuration,hosted,one-data-dir,pooler,second-network,seeds-in-memory}.test.ts',
  'test/program/{compare-with-ledger,log-destination,open-certificate-signer,staged-sweep,welcome}.test.ts',
);
