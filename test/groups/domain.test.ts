import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/domain/**/*.test.ts',
  'test/{views,ledger,signing,webhooks}/*.test.ts',
  'test/verifier/{check,evidence,log,xpop}/*.test.ts',
  'test/verifier/bundle/[cr]*.test.ts',
  'test/transparency-log/{tree,checkpoint,cosigning,published}/*.test.ts',
  'test/witness/*.test.ts',
);
