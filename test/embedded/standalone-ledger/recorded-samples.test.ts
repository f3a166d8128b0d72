import { test } from 'tap';
import { createStandaloneLedger } from '../../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { isRecord, type Json } from './compare-answers.ts';
import { connect, type RawConnection } from './raw-connection.ts';
import { blobOf, blobsByLedger, RecordedClock, RecordedSession } from './recorded-session.ts';
import { replayMemoProbe } from './replay-memo-probe.ts';
import { replayQueue } from './replay-queue.ts';
import { sample, sampleLines, sampleNames } from './samples.ts';

/** Samples not compared by any test, each with its reason. */
const notCompared: Readonly<Record<string, string>> = {
  'validators.json': 'of a network of validators, and compared in validators/validations.test.ts',
};

const neverWarned = { warning: Number.POSITIVE_INFINITY, drop: Number.POSITIVE_INFINITY };

const subscriptions = [
  ...['accounts', 'accounts_proposed', 'consensus', 'ledger', 'ledger+transactions+accounts'],
  ...['server', 'transactions', 'transactions_proposed', 'xrpljs-like'],
];

test('answers like the recorded rippled', async (t) => {
  const clock = new RecordedClock();
  const ledger = await createStandaloneLedger({ networkId: 0, closeMs: 0, clock: clock.now });
  // Recorded at a port for strangers.
  ledger.faults.chargeClients(neverWarned);
  t.teardown(() => ledger.stop());
  const session = new RecordedSession(ledger, await connect(ledger.url), clock);
  const { connection } = session;
  const proposed = blobsByLedger(sampleLines('stream.transactions_proposed.all.ndjson'));
  const replayLedger = async (index: number) => {
    for (const blob of proposed.get(index) ?? [])
      await connection.ask({ command: 'submit', tx_blob: blob });
    await session.closeUntil(index);
  };

  await session.replay('server_info.fresh-ledger2');
  await session.closeUntil(3);
  await session.replay('submit.payment-funding');
  for (const blob of fundingBlobs().slice(1)) await session.prepare(blob);
  await session.replay('account_info.current.unvalidated-new-account');
  await session.replay('account_info.validated.unvalidated-new-account');
  await session.closeUntil(4);
  await session.replay('server_info', 'server_state', 'fee', 'account_info.current');
  await session.replay('account_info.current.queue', 'account_info.validated');
  await session.replay('account_info.no-ledger-index', 'account_info.unknown-account');
  await session.replay('account_info.unknown-account.current', 'account_info.malformed-account');
  await session.replay('account_info.missing-account', 'account_info.ledger-not-found');
  await session.replay('account_info.genesis.validated', 'ledger_current', 'ledger_closed');
  await session.replay('ledger.validated', 'ledger.validated.transactions');
  await session.replay('ledger.validated.transactions-expand');
  await compareBinaryLedger(session);
  await session.replay('ledger.closed', 'ledger.current', 'ledger.not-found', 'ping');
  await session.replay('error.unknown-command', 'error.missing-command');
  await session.replay('error.invalid-api-version', 'error.not-json');
  await session.replay('subscribe.bad-stream', 'subscribe.bad-account');
  await session.replay('subscribe.unfunded-account', 'unsubscribe.unfunded-account');

  const streams = new Map<string, RawConnection>();
  for (const name of subscriptions) {
    const stream = await connect(ledger.url);
    const { request, response } = sample(`subscribe.${name}.response.json`);
    session.compare(`subscribe.${name}.response.json`, await stream.ask(request), response);
    streams.set(name, stream);
  }

  await session.replay('submit.success', 'tx.in-open-ledger-not-validated');
  await session.replay('tx.in-open-ledger-not-validated.binary');
  await session.replay('submit.duplicate-same-open-ledger', 'account_info.current.after-submit');
  await session.replay('account_info.validated.after-submit');
  await session.closeUntil(5);
  await session.replay('submit.duplicate-after-validated', 'tx.validated', 'tx.validated.binary');
  await session.replay('tx.validated.by-ctid', 'tx.validated.lowercase-hash');
  await session.replay('tx.validated.min-max-ledger', 'submit.bad-signature');
  await session.replay('submit.bad-signature.again', 'submit.bad-signature.payload-changed');
  await session.replay('submit.unsigned', 'submit.signed-by-other-key', 'submit.past-sequence');
  await session.replay('tx.after-past-sequence', 'submit.future-sequence');
  await session.replay('tx.held-future-sequence', 'submit.future-sequence.fail_hard');
  await session.replay('submit.gap-filler', 'account_info.current.after-gap-filler');
  await session.closeUntil(6);
  await session.replay('tx.held-then-gap-filled', 'submit.fee-too-low', 'tx.after-fee-too-low');
  await session.replay('submit.fee-zero', 'submit.fee-more-than-balance');
  await session.closeUntil(7);
  await session.replay('submit.last-ledger-passed', 'tx.after-last-ledger-passed');
  await session.replay('tx.after-last-ledger-passed.min-max', 'submit.last-ledger-equals-open');
  await session.closeUntil(8);
  await session.replay('tx.last-ledger-equals-open', 'submit.memo-too-large');
  for (let index = 9; index <= 29; index += 1) await replayLedger(index);
  await session.replay('submit.memo-type-bad-characters', 'submit.networkid-present-on-mainnet');
  await session.replay('submit.malformed-blob', 'submit.not-hex', 'submit.no-blob');
  await session.replay('submit.account-not-found', 'submit.tecUNFUNDED_PAYMENT');
  await session.replay('submit.tecNO_DST_INSUF_XRP');
  await session.closeUntil(30);
  await session.replay('tx.tec-validated', 'submit.ticket-create');
  await session.closeUntil(31);
  await session.replay('submit.with-ticket', 'submit.with-ticket.duplicate');
  await session.closeUntil(32);
  await session.replay('submit.with-ticket.duplicate-after-validated', 'submit.at-reserve');
  await session.closeUntil(33);
  await session.replay('submit.terINSUF_FEE_B');
  await session.closeUntil(34);
  await session.replay('submit.conflict.first', 'submit.conflict.second', 'tx.conflict.second');
  await session.closeUntil(35);
  await session.replay('tx.conflict.second.after-close');
  for (let index = 36; index <= 43; index += 1) await replayLedger(index);
  await session.replay('tx.not-found', 'tx.not-found.min-max-known-range');
  await session.replay('tx.not-found.min-max-future', 'tx.not-found.min-max-before-history');
  await session.replay('tx.min-max-excessive-range', 'tx.min-max-inverted');
  await session.replay('tx.not-found.binary', 'tx.bad-hash', 'tx.missing-hash', 'account_tx');
  await session.replay('account_tx.next-page', 'account_tx.forward', 'account_tx.binary');
  await session.replay('account_tx.unknown-account', 'account_objects', 'server_info.later');
  await session.replay('fee.with-open-transactions');
  await replayLedger(44);
  await session.replay('ledger.by-index', 'tx.for-ledger.by-index');
  await compareLedgerByHash(session);

  // For every stream: all earlier messages, then those of one transaction and one close.
  const before = new Map<string, Json[]>();
  for (const [name, stream] of streams) before.set(name, await stream.takePushed());
  for (const blob of proposed.get(45) ?? []) await session.prepare(blob);
  for (const [name, stream] of streams) {
    const recorded = sample(`stream.${name}.json`);
    const onSubmit = await stream.takePushed();
    session.compare(`stream.${name}.json`, onSubmit, recorded.messages_on_submit_before_close);
    before.get(name)?.push(...onSubmit);
  }
  await session.closeUntil(45);
  for (const [name, stream] of streams) {
    const onClose = await stream.takePushed();
    const recorded = sample(`stream.${name}.json`);
    session.compare(`stream.${name}.json`, onClose, recorded.messages_on_close);
    const all = [...(before.get(name) ?? []), ...onClose];
    session.compare(`stream.${name}.all.ndjson`, all, sampleLines(`stream.${name}.all.ndjson`));
  }
  await session.closeUntil(46);
  const empty = sample('stream.empty-ledger.json');
  session.compare(
    'stream.empty-ledger.json',
    await streams.get('ledger')?.takePushed(),
    empty.messages_on_close,
  );
  const tec = sample('stream.accounts.tec.json');
  const [tecMessage] = Array.isArray(tec.messages) ? tec.messages : [];
  await session.prepare(blobOf(tecMessage), 'tecUNFUNDED_PAYMENT');
  await session.closeUntil(47);
  const accounts = streams.get('accounts');
  session.compare('stream.accounts.tec.json', await accounts?.takePushed(), tec.messages);
  const { request, response } = sample('unsubscribe.accounts.json');
  session.compare('unsubscribe.accounts.json', await accounts?.ask(request), response);
  await session.closeUntil(48);
  const silence = sample('stream.accounts.after-unsubscribe.json');
  session.compare(
    'stream.accounts.after-unsubscribe.json',
    await accounts?.takePushed(),
    silence.messages,
  );
  await session.replay('unsubscribe.not-subscribed');

  const compared = new Set(session.compared);
  const failures = [...session.failures];
  for (const part of [await replayQueue(t), await replayMemoProbe(t)]) {
    for (const name of part.compared) compared.add(name);
    failures.push(...part.failures);
  }
  for (const stream of streams.values()) stream.close();
  connection.close();

  t.strictSame(failures, [], 'no difference');
  const left = sampleNames.filter((name) => !compared.has(name));
  t.strictSame(left, Object.keys(notCompared).sort(), 'every other sample has a reason');
  t.comment(`${compared.size} of ${sampleNames.length} recorded samples compared`);
  for (const [name, reason] of Object.entries(notCompared))
    t.comment(`not compared: ${name}: ${reason}`);
});

/** The payments from the recorded genesis account to three accounts. */
function fundingBlobs(): string[] {
  const { response } = sample('ledger.validated.transactions-expand-binary.json');
  const result = isRecord(response) ? response.result : undefined;
  const shown = isRecord(result) ? result.ledger : undefined;
  const all: readonly unknown[] =
    isRecord(shown) && Array.isArray(shown.transactions) ? shown.transactions : [];
  return all.map((each) => (isRecord(each) ? String(each.tx_blob) : ''));
}

/** The binary header contains the two differing hashes, so it is compared around them. */
async function compareBinaryLedger(session: RecordedSession): Promise<void> {
  const name = 'ledger.validated.transactions-expand-binary.json';
  const { request, response } = sample(name);
  const answer = await session.connection.ask(request);
  session.compare(name, answer, response, { volatile: ['ledger_data'] });
  session.compare(name, headerAroundHashes(answer), headerAroundHashes(response));
}

function headerAroundHashes(answer: unknown): readonly string[] {
  const data = /"ledger_data":"([0-9A-F]*)"/.exec(JSON.stringify(answer))?.[1] ?? '';
  return [data.slice(0, 24), data.slice(88, 152), data.slice(216)];
}

/** The recorded ledger hash is of another chain, so the same ledger is requested by our hash. */
async function compareLedgerByHash(session: RecordedSession): Promise<void> {
  const { request, response } = sample('ledger.by-hash.json');
  if (!isRecord(request)) throw new Error('no request');
  const { ledger_hash } = await session.connection.result({ command: 'ledger', ledger_index: 44 });
  const answer = await session.connection.ask({ ...request, ledger_hash });
  session.compare('ledger.by-hash.json', answer, response);
}
