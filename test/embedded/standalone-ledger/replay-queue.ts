import { decode } from 'ripple-binary-codec';
import type { Test } from 'tap';
import { type AccountSet, type Payment, Wallet } from 'xrpl';
import { createStandaloneLedger } from '../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { isRecord, type Json } from './compare-answers.ts';
import { connect } from './raw-connection.ts';
import { genesis, RecordedClock, RecordedSession } from './recorded-session.ts';
import { sample } from './samples.ts';

const first = 'rEhh6f9rj5UUBhFzGGaxS5zYU2CCqKFXBC';
const second = 'rBShN9XWfP8swk6BQYZLedLHmZaGD9tVfp';

/**
 * Replays the recording of a server with an open-ledger limit of 3. First up to the five blobs that
 * were not recorded, then as a whole with accounts whose keys are known.
 */
export async function replayQueue(t: Test): Promise<RecordedSession> {
  const asRecorded = await start(t, first, second);
  await asRecorded.replay('queue.fee.empty');
  for (let place = 1; place <= 9; place += 1) await asRecorded.replay(`queue.submit.${place}`);
  await asRecorded.replay('queue.fee.full', 'queue.server_info.full', 'queue.server_state.full');
  await asRecorded.replay('queue.account_info.queue', 'queue.tx.queued');
  await asRecorded.replay('queue.submit.duplicate-of-queued', 'queue.submit.replace-fee-too-small');
  await asRecorded.replay('queue.submit.replace', 'queue.tx.replaced-one');
  await asRecorded.replay('queue.submit.last-ledger-too-near', 'queue.submit.pays-open-ledger-fee');
  await asRecorded.closeUntil(6);
  await asRecorded.replay('queue.ledger-after-close.1');
  asRecorded.connection.close();

  const known = new Map([
    [first, Wallet.generate()],
    [second, Wallet.generate()],
  ]);
  const again = await start(t, addressOf(known, first), addressOf(known, second));
  for (let place = 1; place <= 9; place += 1)
    await replaySigned(again, `queue.submit.${place}`, known);
  await replaySigned(again, 'queue.submit.replace', known);
  await replaySigned(again, 'queue.submit.last-ledger-too-near', known);
  await replaySigned(again, 'queue.submit.pays-open-ledger-fee', known);
  const template = transactionOf('queue.submit.per-account-limit');
  for (let sequence = 12; sequence <= 16; sequence += 1) {
    await again.prepare(sign({ ...template, Sequence: sequence }, known).tx_blob, 'terQUEUED');
  }
  await replaySigned(again, 'queue.submit.per-account-limit', known);
  const queued = sign(transactionOf('queue.submit.5'), known);
  for (let place = 1; place <= 6; place += 1) {
    await again.closeUntil(5 + place);
    await replayLike(again, `queue.ledger-after-close.${place}`, {});
    await replayLike(again, `queue.fee.after-close.${place}`, {});
  }
  await replayLike(again, 'queue.tx.queued.afterwards', { transaction: queued.hash });
  again.connection.close();
  for (const name of asRecorded.compared) again.compared.add(name);
  again.failures.push(...asRecorded.failures);
  return again;
}

/**
 * The ledger at the beginning of the recording: ledger 5, two accounts funded in ledgers 3 and 4.
 */
async function start(t: Test, ...addresses: readonly string[]): Promise<RecordedSession> {
  const clock = new RecordedClock(Date.UTC(2026, 10, 20, 23, 6, 14), 1);
  const ledger = await createStandaloneLedger({
    networkId: 0,
    closeMs: 0,
    clock: clock.now,
    openLedgerLimit: 3,
    openLedgerMaximum: 5,
  });
  // Recorded at a port for strangers.
  ledger.faults.chargeClients({
    warning: Number.POSITIVE_INFINITY,
    drop: Number.POSITIVE_INFINITY,
  });
  t.teardown(() => ledger.stop());
  clock.ledgerClosed(2); // close times show that ledger 2 was rounded down, and later ones up
  const session = new RecordedSession(ledger, await connect(ledger.url), clock);
  for (const [place, address] of addresses.entries()) {
    const payment: Payment = {
      TransactionType: 'Payment',
      Account: genesis.address,
      Destination: address,
      Amount: '1000000000',
      Fee: '100000',
      Sequence: place + 1,
      LastLedgerSequence: 23 + place,
    };
    await session.prepare(genesis.sign(payment).tx_blob);
    await session.closeUntil(3 + place);
  }
  await session.closeUntil(5);
  return session;
}

/** Values that depend on the signer. */
const ofSigner = [
  'tx_blob',
  'hash',
  'Account',
  'SigningPubKey',
  'TxnSignature',
  'transactions',
  'meta',
  'transaction_hash',
  'transaction',
];

async function replaySigned(
  session: RecordedSession,
  name: string,
  wallets: ReadonlyMap<string, Wallet>,
): Promise<void> {
  await replayLike(session, name, { tx_blob: sign(transactionOf(name), wallets).tx_blob });
}

/**
 * Sends the recorded request with other parameters. Values that depend on the signer keep only
 * their form.
 */
async function replayLike(session: RecordedSession, name: string, parameters: Json): Promise<void> {
  const { request, response } = sample(`${name}.json`);
  if (!isRecord(request)) throw new Error(`${name} has no request`);
  const answer = await session.connection.ask({ ...request, ...parameters });
  session.compare(`${name}.json`, answer, response, {
    volatile: [...ofSigner, 'LedgerIndex', 'PreviousTxnID'],
  });
}

function transactionOf(name: string): AccountSet {
  const { request } = sample(`${name}.json`);
  const {
    SigningPubKey: _,
    TxnSignature: __,
    ...transaction
  } = decode(isRecord(request) ? String(request.tx_blob) : '');
  return transaction as unknown as AccountSet; // the recorded blobs of this session are AccountSets
}

function sign(transaction: AccountSet, wallets: ReadonlyMap<string, Wallet>) {
  const wallet = wallets.get(transaction.Account);
  if (wallet === undefined) throw new Error(`no key for ${transaction.Account}`);
  return wallet.sign({ ...transaction, Account: wallet.address });
}

function addressOf(wallets: ReadonlyMap<string, Wallet>, address: string): string {
  return wallets.get(address)?.address ?? '';
}
