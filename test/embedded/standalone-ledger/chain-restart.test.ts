import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { createStandaloneLedger } from '../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { connect } from './raw-connection.ts';
import { openAccounts, startLedger, submit } from './test-ledger.ts';

function dataDir(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-ledger-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('history, accounts and chain continue after a restart', async (t) => {
  const folder = dataDir(t);
  const ledger = await createStandaloneLedger({ closeMs: 0, dataDir: folder });
  const connection = await connect(ledger.url);
  const [account] = await openAccounts({ ledger, connection });
  if (account === undefined) throw new Error('no account');
  const { tx_blob, hash } = account.sign();
  await submit(connection, tx_blob);
  const before = await ledger.close();
  connection.close();
  await ledger.stop();

  const again = await startLedger(t, { dataDir: folder });
  const found = await again.connection.result({ command: 'tx', transaction: hash, api_version: 2 });
  t.match(found, {
    validated: true,
    ledger_hash: before.ledgerHash,
    ledger_index: before.ledgerIndex,
  });
  const info = await again.connection.result({ command: 'account_info', account: account.address });
  t.match(info.account_data, { Sequence: account.sequence });
  t.match(await again.connection.result({ command: 'server_info' }), {
    info: { complete_ledgers: `2-${before.ledgerIndex}` },
  });
  t.equal(await submit(again.connection, account.sign().tx_blob), 'tesSUCCESS');
  const after = await again.ledger.close();
  t.equal(after.ledgerIndex, before.ledgerIndex + 1);
  const next = await again.connection.result({
    command: 'ledger',
    ledger_index: after.ledgerIndex,
  });
  t.match(next.ledger, { parent_hash: before.ledgerHash });
});

test('forgotten ledgers stay forgotten after a restart', async (t) => {
  const folder = dataDir(t);
  const ledger = await createStandaloneLedger({ closeMs: 0, dataDir: folder });
  for (let count = 0; count < 8; count += 1) await ledger.close();
  ledger.faults.forgetLedgers(4, 6);
  await ledger.stop();
  const { connection } = await startLedger(t, { dataDir: folder });
  const info = await connection.result({ command: 'server_info' });
  t.match(info, { info: { complete_ledgers: '2-3,7-10' } });
});

test('refuses a second ledger on the same data, and another network', async (t) => {
  const folder = dataDir(t);
  const { ledger } = await startLedger(t, { dataDir: folder, networkId: 7 });
  await t.rejects(
    createStandaloneLedger({ dataDir: folder, networkId: 7 }),
    /no other process uses it/,
  );
  await ledger.stop();
  await t.rejects(createStandaloneLedger({ dataDir: folder }), /belongs to network 7, not 1/);
});

test('two chains share nothing, not even ledger 2', async (t) => {
  const clock = () => Date.UTC(2026, 0, 1);
  const [one, other] = [await startLedger(t, { clock }), await startLedger(t, { clock })];
  const closed = { command: 'ledger_closed' };
  t.notSame(await one.connection.result(closed), await other.connection.result(closed));
});
