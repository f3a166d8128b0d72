import { test } from 'tap';
import { Client } from 'xrpl';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { createSubmissionPace } from '../../src/ledger/submission-pace.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;

/** A pace with a manual clock. */
function paceAt(startMs = 10_000) {
  let now = startMs;
  const pace = createSubmissionPace(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  return { pace, pass };
}

async function submitted(pace: ReturnType<typeof createSubmissionPace>, count: number) {
  for (let sent = 0; sent < count; sent += 1) await pace.turn(never);
}

test('without complaints submissions are not delayed', async (t) => {
  const { pace } = paceAt();
  await submitted(pace, 10_000);
  t.equal(pace.perSecond(), Number.POSITIVE_INFINITY);
  t.equal(pace.waitMs(), 0);
});

test('the pace halves at most once a second, down to a minimum for each kind of complaint', async (t) => {
  const { pace, pass } = paceAt();
  await submitted(pace, 400);
  pace.slowDown('warned');
  t.equal(pace.perSecond(), 200);
  pace.slowDown('warned');
  t.equal(pace.perSecond(), 200, 'the same burst');
  for (let second = 0; second < 8; second += 1) {
    pass(1_000);
    pace.slowDown('warned');
  }
  t.equal(pace.perSecond(), 40);
  for (let second = 0; second < 8; second += 1) {
    pass(1_000);
    pace.slowDown('refused');
  }
  t.equal(pace.perSecond(), 20);
});

test('the pace grows without complaints until it is unlimited', (t) => {
  const { pace, pass } = paceAt();
  pace.slowDown('refused');
  const before = pace.perSecond();
  pass(14_300);
  t.ok(Math.abs(pace.perSecond() - 2 * before) < 1, 'twice as fast in about 14 s');
  pass(3_600_000);
  t.equal(pace.perSecond(), Number.POSITIVE_INFINITY);
  t.end();
});

test('a waiting submission is rejected when the connection is given up', async (t) => {
  const pace = createSubmissionPace();
  pace.slowDown('refused');
  await pace.turn(never);
  const connection = new AbortController();
  const waiting = pace.turn(connection.signal);
  t.ok(pace.waitMs() > 0);
  connection.abort();
  await t.rejects(waiting, { name: 'LedgerUnavailable' });
});

/** A quarter of a public server's limits, exceeded by 500 submissions at once. */
const strict = { warning: 1_250, drop: 6_250 };

test('a public server drops a client without a pace, but not the gateway', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  await ledger.close();

  const careless = new Client(ledger.url);
  careless.on('error', () => {});
  const closed = new Promise<number>((resolve) => careless.on('disconnected', resolve));
  await careless.connect();
  t.teardown(() => careless.disconnect());
  ledger.faults.chargeClients(strict);
  const flood = Array.from({ length: 600 }, () =>
    careless.request({ command: 'submit', tx_blob: '00' }).catch(() => null),
  );
  t.equal(await closed, 1008);
  await Promise.all(flood);

  const troubles: string[] = [];
  ledger.faults.chargeClients(strict);
  const gateway = openGateway({
    network: 'testnet',
    urls: [ledger.url],
    onTrouble: (_, reason) => troubles.push(reason),
  });
  t.teardown(() => gateway.close());
  await until('a connection', async () => gateway.current().connected);
  let answered = 0;
  const oneAfterTheOther = async () => {
    for (let left = 8; left > 0; left -= 1) {
      await gateway.submit('00');
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, oneAfterTheOther));
  t.equal(answered, 512);
  t.strictSame(troubles, []);
  t.ok(gateway.submissionsPerSecond() < 200, `${gateway.submissionsPerSecond()} a second`);
});

test('after a drop the gateway reconnects and continues more slowly', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  await ledger.close();
  const gateway = openGateway({ network: 'testnet', urls: [ledger.url] });
  t.teardown(() => gateway.close());
  await until('a connection', async () => gateway.current().connected);
  await Promise.all(Array.from({ length: 100 }, () => gateway.submit('00')));
  ledger.faults.closeConnections(1008);
  await until('the loss', async () => !gateway.current().connected);
  await until('a connection', async () => gateway.current().connected);
  t.ok(gateway.submissionsPerSecond() < 100);
  t.match(await gateway.submit('00'), { engineResult: 'invalidTransaction' });
});
