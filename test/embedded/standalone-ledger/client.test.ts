import { test } from 'tap';
import { Client, Wallet } from 'xrpl';
import { fundAccounts } from '../../../src/embedded/fund-accounts.ts';
import { createStandaloneLedger } from '../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';

/**
 * The client asks once a second and gives up after 20 ledgers, so ledgers must not close faster.
 */
const closeMs = 250;

test('the real client connects, submits, waits and receives ledgers', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs });
  t.teardown(() => ledger.stop());
  const wallet = Wallet.generate();
  await fundAccounts({ url: ledger.url, addresses: [wallet.address], xrp: 25 });
  const client = new Client(ledger.url);
  await client.connect();
  t.teardown(() => client.disconnect());
  t.equal(client.networkID, 1);
  t.match(client.buildVersion, /^proofmark/);
  t.equal(await client.getXrpBalance(wallet.address), 25);

  const closed = new Promise((resolve) => {
    client.once('ledgerClosed', resolve);
  });
  await client.request({ command: 'subscribe', streams: ['ledger'] });
  t.match(await closed, {
    type: 'ledgerClosed',
    ledger_index: Number,
    ledger_hash: /^[0-9A-F]{64}$/,
  });

  const { result } = await client.submitAndWait(
    {
      TransactionType: 'AccountSet',
      Account: wallet.address,
      Memos: [{ Memo: { MemoType: '61', MemoData: '62' } }],
    },
    { wallet },
  );
  t.equal(result.validated, true);
  t.match(result.meta, { TransactionResult: 'tesSUCCESS', TransactionIndex: 0 });
  const found = await client.request({ command: 'tx', transaction: result.hash });
  t.equal(found.result.ledger_index, result.ledger_index);
});

test('the regular key works with the master key disabled', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs });
  t.teardown(() => ledger.stop());
  const [master, daily] = [Wallet.generate(), Wallet.generate()];
  await fundAccounts({ url: ledger.url, addresses: [master.address], xrp: 25 });
  const client = new Client(ledger.url);
  await client.connect();
  t.teardown(() => client.disconnect());
  const common = { Account: master.address };
  await client.submitAndWait(
    { ...common, TransactionType: 'SetRegularKey', RegularKey: daily.address },
    { wallet: master },
  );
  await client.submitAndWait(
    { ...common, TransactionType: 'AccountSet', SetFlag: 4 },
    { wallet: master },
  );
  const refused = await client.submit(
    { ...common, TransactionType: 'AccountSet' },
    { wallet: master },
  );
  t.equal(refused.result.engine_result, 'tefMASTER_DISABLED');
  const { result } = await client.submitAndWait(
    { ...common, TransactionType: 'AccountSet' },
    { wallet: daily },
  );
  t.equal(result.validated, true);
  const info = await client.request({
    command: 'account_info',
    account: master.address,
    ledger_index: 'validated',
  });
  t.equal(info.result.account_flags?.disableMasterKey, true);
  t.equal(info.result.account_data.RegularKey, daily.address);
});
