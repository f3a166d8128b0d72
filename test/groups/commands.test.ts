import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/{commands,identity,issuer,run-statement,subscriptions}/*.test.ts',
  'test/transparency-log/{guard,inclusion,publish,restore,witnesses}/*.test.ts',
);
