import { test } from 'tap';
import { Client, Wallet } from 'xrpl';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';

test('tops accounts up to the amount once, however often it is called', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 50 });
  t.teardown(() => ledger.stop());
  const { url } = ledger;
  const addresses = Array.from({ length: 5 }, () => Wallet.generate().address);
  const client = new Client(url);
  await client.connect();
  t.teardown(() => client.disconnect());
  const balances = () => Promise.all(addresses.map((address) => client.getXrpBalance(address)));
  await fundAccounts({ url, addresses, xrp: 50 });
  t.strictSame(await balances(), [50, 50, 50, 50, 50]);
  await fundAccounts({ url, addresses: [...addresses, ...addresses], xrp: 50 });
  await fundAccounts({ url, addresses: addresses.slice(0, 2), xrp: 60.5 });
  t.strictSame(await balances(), [60.5, 60.5, 50, 50, 50]);
});

test('rejects with the reason if a payment is refused', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 50 });
  t.teardown(() => ledger.stop());
  const options = { url: ledger.url, addresses: [Wallet.generate().address], xrp: 0.5 };
  await t.rejects(fundAccounts(options), /Too little XRP|tecNO_DST_INSUF_XRP/);
});
