import { createHash } from 'node:crypto';
import { test } from 'tap';
import { decodeAccountID, hashes } from 'xrpl';
import type { Json } from './compare-answers.ts';
import { genesis } from './recorded-session.ts';
import { openAccount, openAccounts, startLedger, submit } from './test-ledger.ts';

/** A ledger with its transactions in the form hashed by the client library. */
type Ledger = Parameters<typeof hashes.hashLedger>[0];

/** Ledgers 2 up to the newest in the form checked by the client library. */
async function ledgers(running: Awaited<ReturnType<typeof startLedger>>): Promise<Ledger[]> {
  const { connection } = running;
  const { ledger_index: newest } = await connection.result({ command: 'ledger_closed' });
  const found: Ledger[] = [];
  for (let index = 2; index <= Number(newest); index += 1) {
    const { ledger } = await connection.result({
      command: 'ledger',
      ledger_index: index,
      transactions: true,
      expand: true,
    });
    found.push(ledger as Ledger); // checked by hashing it
  }
  return found;
}

type Hashed = Parameters<typeof hashes.hashTxTree>[0];

/** Transactions without the fields added by answers, which are not hashed. */
function withoutAdditions(ledger: Ledger): Hashed {
  const added = (key: string, value: unknown) =>
    key === 'DeliverMax' || key === 'delivered_amount' ? undefined : value;
  return JSON.parse(JSON.stringify(ledger.transactions ?? [], added));
}

test('headers, transaction trees and parents have the hashes of the client library', async (t) => {
  const running = await startLedger(t);
  const accounts = await openAccounts(running, 40);
  for (const account of accounts) {
    await submit(running.connection, account.sign().tx_blob);
    await submit(running.connection, account.sign({ Domain: '61' }).tx_blob);
  }
  await running.ledger.close();
  await running.ledger.close();
  const all = await ledgers(running);
  t.equal(all.at(-2)?.transactions?.length, 80);
  for (const [place, ledger] of all.entries()) {
    t.equal(hashes.hashLedger(ledger), ledger.ledger_hash);
    t.equal(hashes.hashTxTree(withoutAdditions(ledger)), ledger.transaction_hash);
    const parent = all[place - 1];
    if (parent === undefined) continue;
    t.equal(ledger.parent_hash, parent.ledger_hash);
    t.equal(ledger.parent_close_time, parent.close_time);
    t.ok(ledger.close_time >= parent.close_time);
  }
});

test('account_hash is the root over all entries', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const { connection } = running;
  const Account = account.address;
  const create = { TransactionType: 'TicketCreate', Account, TicketCount: 3 } as const;
  await submit(connection, account.signAny(create).tx_blob);
  await running.ledger.close();
  const validated = { ledger_index: 'validated' };
  const roots: unknown[] = [];
  for (const address of [genesis.address, Account]) {
    const info = await connection.result({
      command: 'account_info',
      account: address,
      ...validated,
    });
    roots.push(info.account_data);
  }
  const owned = await connection.result({
    command: 'account_objects',
    account: Account,
    ...validated,
  });
  const tickets: readonly Json[] = Array.isArray(owned.account_objects)
    ? owned.account_objects
    : [];
  t.equal(tickets.length, 3);
  const RootIndex = hashOf(`004F${Buffer.from(decodeAccountID(Account)).toString('hex')}`);
  const directory = {
    ...tickets[0],
    LedgerEntryType: 'DirectoryNode',
    OwnerNode: undefined,
    TicketSequence: undefined,
    Account: undefined,
    Owner: Account,
    Indexes: tickets.map(({ index }) => String(index)).sort(),
    RootIndex,
    index: RootIndex,
  };
  const entries = [...roots, ...tickets, directory];
  const { ledger } = await connection.result({ command: 'ledger', ...validated });
  const account_hash = hashes.hashStateTree(entries as Parameters<typeof hashes.hashStateTree>[0]);
  t.match(ledger, { account_hash });
});

function hashOf(hex: string): string {
  return createHash('sha512').update(hex, 'hex').digest('hex').slice(0, 64).toUpperCase();
}
