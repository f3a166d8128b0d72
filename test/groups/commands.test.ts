import { runTogether } from '../support/run-together.ts';

await runTogether(
  'test/{commands,issuer,subscriptions}/*.test.ts',
  'test/transparency-log/{guard,inclusion,publish,restore,witnesses}/*.test.ts',
);
