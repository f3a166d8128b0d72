import { test } from 'tap';
import { isRecord } from './compare-answers.ts';
import { connect } from './raw-connection.ts';
import { openAccount, startLedger, submit } from './test-ledger.ts';

const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

test('a submit can lose its answer before or after its effect', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const { ledger, connection } = running;
  const sequenceNow = async () => {
    const info = await connection.result({ command: 'account_info', account: account.address });
    return isRecord(info.account_data) ? info.account_data.Sequence : undefined;
  };
  const first = account.sequence;
  const { tx_blob } = account.sign();
  const lonely = await connect(ledger.url);
  let answered = false;
  for (const when of ['beforeApplying', 'afterApplying'] as const) {
    ledger.faults.loseSubmitAnswers(when);
    lonely.ask({ command: 'submit', tx_blob }).then(() => {
      answered = true;
    });
    await soon();
    t.equal(answered, false);
    t.equal(await sequenceNow(), when === 'beforeApplying' ? first : first + 1);
  }
  t.equal(await submit(connection, tx_blob), 'tefPAST_SEQ', 'later submits are answered again');
  lonely.close();
});

test('closes connections with the given code', async (t) => {
  const { ledger, connection } = await startLedger(t);
  ledger.faults.closeConnections();
  t.match(await connection.closed, { code: 1008 });
  const next = await connect(ledger.url);
  ledger.faults.closeConnections(1012, 'restart');
  t.strictSame(await next.closed, { code: 1012, reason: 'restart' });
});

test('a silent server sends nothing, and keeps its sockets open', async (t) => {
  const { ledger, connection } = await startLedger(t);
  await connection.ask({ command: 'subscribe', streams: ['ledger'] });
  ledger.faults.goSilent();
  let answered = false;
  connection.ask({ command: 'ping', id: 'lost' }).then(() => {
    answered = true;
  });
  await ledger.close();
  await soon();
  t.equal(answered, false);
  t.strictSame(connection.pushed, []);
  t.equal(connection.socket.readyState, connection.socket.OPEN);
  ledger.faults.speakAgain();
  await ledger.close();
  await soon();
  t.equal(connection.pushed.length, 1);
});

test('ledger closing can be halted and resumed', async (t) => {
  const { ledger, connection } = await startLedger(t, { closeMs: 20 });
  await connection.ask({ command: 'subscribe', streams: ['ledger'] });
  ledger.faults.haltClosing();
  await connection.takePushed();
  await soon();
  t.strictSame(await connection.takePushed(), []);
  ledger.faults.resumeClosing();
  await soon();
  t.ok((await connection.takePushed()).length > 0);
});

test('a forgotten range is a gap in all history commands', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const { ledger, connection } = running;
  const { tx_blob, hash } = account.sign();
  await submit(connection, tx_blob);
  const { ledgerIndex } = await ledger.close();
  for (let count = 0; count < 3; count += 1) await ledger.close();
  ledger.faults.forgetLedgers(ledgerIndex, ledgerIndex);
  const info = await connection.result({ command: 'server_info' });
  const complete = `2-${ledgerIndex - 1},${ledgerIndex + 1}-${ledgerIndex + 3}`;
  t.match(info, { info: { complete_ledgers: complete } });
  t.match(await connection.ask({ command: 'ledger', ledger_index: ledgerIndex }), {
    error: 'lgrNotFound',
  });
  const range = { min_ledger: ledgerIndex - 1, max_ledger: ledgerIndex + 1 };
  const unknown = 'A'.repeat(64);
  t.match(await connection.ask({ command: 'tx', transaction: unknown, ...range }), {
    error: 'txnNotFound',
    searched_all: false,
  });
  const later = { min_ledger: ledgerIndex + 1, max_ledger: ledgerIndex + 3 };
  t.match(await connection.ask({ command: 'tx', transaction: unknown, ...later }), {
    searched_all: true,
  });
  t.match(await connection.result({ command: 'tx', transaction: hash }), { validated: false });
  ledger.faults.forgetSubmitted();
  t.match(await connection.ask({ command: 'tx', transaction: hash, ...range }), {
    error: 'txnNotFound',
    searched_all: false,
  });
  const history = await connection.result({ command: 'account_tx', account: account.address });
  t.notMatch(JSON.stringify(history), hash);
});

test('a raised load factor requires higher fees', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const { ledger, connection } = running;
  await connection.ask({ command: 'subscribe', streams: ['server'] });
  ledger.faults.raiseLoadFactor(5);
  t.match(await connection.takePushed(), [{ type: 'serverStatus', load_factor: 1280 }]);
  t.match(await connection.result({ command: 'server_info' }), { info: { load_factor: 5 } });
  const cheap = account.sign();
  t.equal(await submit(connection, cheap.tx_blob), 'telINSUF_FEE_P');
  account.sequence -= 1;
  t.equal(await submit(connection, account.sign({ Fee: '50' }).tx_blob), 'tesSUCCESS');
  ledger.faults.raiseLoadFactor(1);
  t.equal(await submit(connection, account.sign().tx_blob), 'tesSUCCESS');
});

test('a full queue accepts only the open-ledger fee', async (t) => {
  const running = await startLedger(t, { openLedgerLimit: 10 });
  const account = await openAccount(running);
  const { ledger, connection } = running;
  ledger.faults.fillQueue();
  const fee = await connection.result({ command: 'fee' });
  t.match(fee, { current_queue_size: '2000', max_queue_size: '2000' });
  const asked = isRecord(fee.drops) ? String(fee.drops.open_ledger_fee) : '';
  t.ok(Number(asked) > 5000);
  t.equal(await submit(connection, account.sign().tx_blob), 'telCAN_NOT_QUEUE_FULL');
  account.sequence -= 1;
  t.equal(await submit(connection, account.sign({ Fee: asked }).tx_blob), 'tesSUCCESS');
  ledger.faults.emptyQueue();
  t.equal(await submit(connection, account.sign().tx_blob), 'tesSUCCESS');
});

test('answers slowDown for the given number of requests', async (t) => {
  const { ledger, connection } = await startLedger(t);
  ledger.faults.slowDown(2);
  for (let count = 0; count < 2; count += 1) {
    t.match(await connection.ask({ command: 'ping', id: 5 }), {
      error: 'slowDown',
      error_code: 10,
      id: 5,
    });
  }
  t.match(await connection.ask({ command: 'ping' }), { status: 'success' });
});

test('a reset begins another chain, without anything of the old one', async (t) => {
  const running = await startLedger(t);
  const account = await openAccount(running);
  const { ledger, connection } = running;
  const { tx_blob, hash } = account.sign();
  await submit(connection, tx_blob);
  await ledger.close();
  const ledger3 = { command: 'ledger', ledger_index: 3 };
  const before = await connection.result(ledger3);
  ledger.faults.reset();
  t.match(await connection.ask(ledger3), { error: undefined, result: { validated: false } });
  t.match(await connection.result({ command: 'ledger_closed' }), { ledger_index: 2 });
  t.match(await connection.ask({ command: 'tx', transaction: hash }), { error: 'txnNotFound' });
  t.match(await connection.ask({ command: 'account_info', account: account.address }), {
    error: 'actNotFound',
  });
  await ledger.close();
  t.notSame((await connection.result(ledger3)).ledger_hash, before.ledger_hash);
});

test('a server that lacks an amendment warns, then refuses what needs the network', async (t) => {
  const { ledger, connection } = await startLedger(t);
  const info = () => connection.result({ command: 'server_info' });
  ledger.faults.lackAmendment({ status: 'warned', expectedTime: 849_355_200 });
  const details = {
    expected_date: 849_355_200,
    expected_date_UTC: '2026-Nov-30 12:00:00.000000000 UTC',
  };
  t.match(await info(), { info: { warnings: [{ id: 1001, details }] } });
  t.match(await connection.ask({ command: 'fee' }), { status: 'success' });
  ledger.faults.lackAmendment({ status: 'warned', expectedTime: null });
  t.notMatch(JSON.stringify(await info()), 'expected_date');
  ledger.faults.lackAmendment({ status: 'blocked' });
  t.match(await info(), { info: { amendment_blocked: true, warnings: [{ id: 1002 }] } });
  const refused = { status: 'error', error: 'amendmentBlocked', error_code: 14 };
  t.match(await connection.ask({ command: 'fee' }), refused);
  t.match(await connection.ask({ command: 'submit', tx_blob: '00' }), refused);
  t.match(await connection.ask({ command: 'ledger', ledger_index: 2 }), { status: 'success' });
  ledger.faults.lackAmendment(null);
  t.notMatch(JSON.stringify(await info()), 'warnings');
});
