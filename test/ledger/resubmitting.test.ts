import { type Test, test } from 'tap';
import { Wallet } from 'xrpl';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { until } from '../support/until.ts';

/** A transaction of an account that no ledger has. Each server checks it and names its newest ledger. */
function transaction(): string {
  const wallet = Wallet.generate();
  const { tx_blob } = wallet.sign({
    ...{ TransactionType: 'AccountSet', Account: wallet.address, Fee: '10', Sequence: 1 },
    LastLedgerSequence: 1_000,
  });
  return tx_blob;
}

/** A gateway to two servers, of which the second one is one ledger ahead. */
async function connect(t: Test) {
  const start = async () => {
    const ledger = await createStandaloneLedger({ closeMs: 0 });
    t.teardown(() => ledger.stop());
    await ledger.close();
    return ledger;
  };
  const [first, second] = [await start(), await start()];
  await second.close();
  const { ledgerIndex: secondTip } = await second.close();
  const { ledgerIndex: firstTip } = await first.close();
  const gateway = openGateway({ network: 'testnet', urls: [first.url, second.url] });
  t.teardown(() => gateway.close());
  await until('both servers are connected', async () =>
    gateway.servers().every(({ state }) => state === 'ready'),
  );
  return { first, gateway, firstTip, secondTip };
}

test('each repeated submission starts at the next server', async (t) => {
  const { gateway, firstTip, secondTip } = await connect(t);
  const blob = transaction();
  const takenBy: number[] = [];
  for (const earlier of [0, 1, 2, 3]) {
    takenBy.push((await gateway.submit(blob, earlier)).validatedLedger);
  }
  t.strictSame(takenBy, [firstTip, secondTip, firstTip, secondTip]);
  t.equal((await gateway.submit(blob)).validatedLedger, firstTip, 'the preferred one first');
});

test('a repeated submission goes to the server that is left', async (t) => {
  const { first, gateway, firstTip, secondTip } = await connect(t);
  t.equal((await gateway.submit(transaction(), 1)).validatedLedger, secondTip);
  await first.stop();
  await until('only one server is connected', async () =>
    gateway.servers().some(({ state }) => state === 'lost'),
  );
  t.not(firstTip, secondTip);
  t.equal((await gateway.submit(transaction(), 2)).validatedLedger, secondTip);
  t.equal((await gateway.submit(transaction(), 3)).validatedLedger, secondTip);
});
