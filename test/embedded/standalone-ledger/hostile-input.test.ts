import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { connect } from './raw-connection.ts';
import { openAccount, startLedger, submit } from './test-ledger.ts';

const commands = [
  ...['account_info', 'account_objects', 'account_tx', 'fee', 'ledger', 'ledger_closed', 'ping'],
  ...['ledger_current', 'server_info', 'server_state', 'submit', 'subscribe', 'tx', 'unsubscribe'],
];
const parameters = [
  ...['account', 'ledger_index', 'ledger_hash', 'transaction', 'tx_blob', 'ctid', 'min_ledger'],
  ...['max_ledger', 'limit', 'marker', 'streams', 'accounts', 'accounts_proposed', 'binary'],
  ...[
    'ledger_index_min',
    'ledger_index_max',
    'expand',
    'transactions',
    'queue',
    'id',
    'api_version',
  ],
];
const values = [null, true, 0, -1, 1.5, 1e300, '', 'x', '00', [], [null], [[]], {}, { a: {} }];

test('values of wrong types are answered, and the ledger keeps working', async (t) => {
  const bugs: unknown[] = [];
  const { connection } = await startLedger(t, { log: (_message, error) => bugs.push(error) });
  for (const command of commands) {
    for (const parameter of parameters) {
      for (const value of values) {
        const answer = await connection.ask({ command, [parameter]: value });
        if (answer.status !== 'success' && answer.status !== 'error') {
          t.fail(`${command} ${parameter} ${JSON.stringify(value)}`);
        }
      }
    }
  }
  t.strictSame(bugs, []);
});

test('texts that are not requests are answered with an error', async (t) => {
  const { connection } = await startLedger(t);
  for (const text of ['', 'x', '[]', '1', 'null', '"a"', '{', '{"command":']) {
    t.match(await connection.ask(text === '' ? ' ' : text), { error: 'jsonInvalid' });
  }
  t.match(await connection.ask({ command: { a: 1 } }), { error: 'missingCommand' });
});

test('nonsense, truncated or changed blobs are refused', async (t) => {
  const bugs: unknown[] = [];
  const running = await startLedger(t, { log: (_message, error) => bugs.push(error) });
  const account = await openAccount(running);
  const { tx_blob } = account.sign({ Memos: [{ Memo: { MemoData: 'AB', MemoType: '61' } }] });
  for (let round = 0; round < 300; round += 1) {
    const nonsense = randomBytes(1 + round * 3).toString('hex');
    t.match(await submit(running.connection, nonsense), /^invalid/, nonsense);
    const cut = tx_blob.slice(0, 2 * Math.floor((tx_blob.length * Math.random()) / 2));
    t.match(await submit(running.connection, cut), /^invalid/, cut);
    const bytes = Buffer.from(tx_blob, 'hex');
    const at = Math.floor(Math.random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (round % 8));
    const flipped = bytes.toString('hex');
    t.match(await submit(running.connection, flipped), /^invalid/, flipped);
  }
  t.strictSame(bugs, []);
  t.equal(await submit(running.connection, tx_blob), 'tesSUCCESS');
});

test('an oversized message closes only its own connection', async (t) => {
  const { ledger, connection } = await startLedger(t);
  const greedy = await connect(ledger.url);
  greedy.socket.send('x'.repeat(1_000_001));
  await greedy.closed;
  t.match(await connection.ask({ command: 'ping' }), { status: 'success' });
});

test('binary and broken frames do no harm', async (t) => {
  const { ledger, connection } = await startLedger(t);
  const odd = await connect(ledger.url);
  odd.socket.send(Buffer.from([0xff, 0xfe, 0x00]));
  await odd.ask({ command: 'ping' });
  const broken = await connect(ledger.url);
  Reflect.get(broken.socket, '_socket').write(Buffer.from([0xff, 0xff, 0xff]));
  await broken.closed;
  t.match(await connection.ask({ command: 'ping' }), { status: 'success' });
  odd.close();
});
