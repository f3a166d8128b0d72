import { test } from 'tap';
import { Client } from 'xrpl';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import {
  ClientCharge,
  chargeOf as chargeByServer,
} from '../../src/embedded/standalone-ledger/server/client-charge.ts';
import { createChargeBook } from '../../src/ledger/charge-book.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import {
  type ChargeLimits,
  chargeLimitsOf,
  earlierLimits,
  presentLimits,
} from '../../src/ledger/request-charge.ts';
import { repeatRequest } from '../support/charged-client.ts';
import { seededRandom } from '../support/seed.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;
const answered = { warned: false, isError: false };

/** A book with a manual clock. */
function bookAt(limits: ChargeLimits | null, startMs = 10_000) {
  let now = startMs;
  const pass = (ms: number) => {
    now += ms;
  };
  const book = createChargeBook(
    () => now,
    async (ms) => pass(ms),
  );
  book.open(limits);
  return { book, pass, now: () => now };
}

/** Makes requests as fast as the book permits, for this time. Returns the number of submissions. */
async function submitFor(
  seconds: number,
  { book, pass, now }: ReturnType<typeof bookAt>,
  server: ClientCharge,
  options: { readonly latencyMs: () => number; readonly ledgerEveryMs: number },
): Promise<{ readonly submitted: number; readonly dropped: boolean }> {
  let submitted = 0;
  let dropped = false;
  let nextLedger = now();
  const ask = async (command: string) => {
    await book.turn(command, never);
    pass(options.latencyMs());
    dropped ||= server.drop();
    server.add(chargeByServer(command));
    book.answered({ warned: server.warn(), isError: false });
  };
  const end = now() + seconds * 1_000;
  while (now() < end && !dropped) {
    if (now() >= nextLedger) {
      nextLedger += options.ledgerEveryMs;
      for (const command of ['server_info', 'fee', 'ledger']) await ask(command);
    }
    await ask('submit');
    submitted += 1;
  }
  return { submitted, dropped };
}

const minutes = 10 * 60;
for (const { name, limits, least } of [
  { name: 'rippled since 2.3.1', limits: presentLimits, least: 40 },
  { name: 'rippled 2.3.0', limits: earlierLimits, least: 24 },
]) {
  test(`ten minutes at the limit of ${name} lose no connection`, async (t) => {
    const random = seededRandom(t);
    for (const ledgerEveryMs of [1_000, 4_000]) {
      // The server counts in whole seconds, which begin at another time than ours.
      const clock = bookAt(limits, 10_000 + random() * 1_000);
      const server = new ClientCharge(limits, clock.now, random);
      const latencyMs = () => random() * 2;
      const { submitted, dropped } = await submitFor(minutes, clock, server, {
        latencyMs,
        ledgerEveryMs,
      });
      t.notOk(dropped);
      const perSecond = submitted / minutes;
      t.ok(perSecond >= least, `${perSecond} submissions a second`);
    }
  });
}

test('both know the same charges', (t) => {
  for (const command of ['submit', 'ledger', 'fee', 'account_tx', 'tx', 'subscribe'])
    t.equal(chargeByServer(command), command === 'submit' || command === 'account_tx' ? 400 : 20);
  t.end();
});

test('the standalone ledger charges mistakes like rippled', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  const mistakes = [
    { request: { command: 5 }, charge: 100 },
    { request: { command: 'submit', api_version: 99 }, charge: 100 },
    { request: { command: 'account_tx' }, charge: 20 },
    { request: { command: 'account_objects' }, charge: 20 },
    { request: { command: 'submit' }, charge: 400 },
  ];
  for (const { request, charge } of mistakes) {
    // A balance of 50 drops the client, and no second decays in this short time.
    ledger.faults.chargeClients({ drop: 50, warning: 1_000_000 });
    const { answers, code } = await repeatRequest(ledger.url, '127.0.0.1', request, 200);
    t.equal(code, 1008);
    const expected = (50 * 32) / charge;
    t.ok(answers >= expected && answers <= expected * 1.1 + 1, `${answers} for ${expected}`);
  }
});

test('limits follow from the version of the server', (t) => {
  t.equal(chargeLimitsOf('2.3.0-b4'), earlierLimits);
  t.equal(chargeLimitsOf('1.12.0'), earlierLimits);
  t.equal(chargeLimitsOf('2.3.1'), presentLimits);
  t.equal(chargeLimitsOf('3.4.1'), presentLimits);
  t.equal(chargeLimitsOf(undefined), presentLimits);
  t.end();
});

test('a warning in the first second of a process counts', (t) => {
  for (const startMs of [500, 1_500]) {
    const { book } = bookAt(null, startMs);
    book.answered({ warned: true, isError: false });
    book.open(presentLimits);
    t.ok(book.submissionsWithin(4_000) < 250, `at ${startMs} ms`);
  }
  t.end();
});

test('an administrator of the server waits for nothing', async (t) => {
  const { book } = bookAt(null);
  for (let sent = 0; sent < 10_000; sent++) await book.turn('submit', never);
  t.equal(book.waitMs(), 0);
  t.equal(book.submissionsWithin(1), Number.POSITIVE_INFINITY);
});

test('a server that never warns does not charge, until it refuses us', async (t) => {
  const { book, pass } = bookAt(presentLimits);
  for (let sent = 0; sent < 1_000; sent++) await book.turn('submit', never);
  for (let second = 0; second < 3; second++) {
    book.answered({ warned: false, isError: true });
    book.answered(answered);
    t.ok(Number.isFinite(book.submissionsWithin(4_000)), `after ${second} seconds`);
    pass(1_000);
  }
  book.answered(answered);
  t.equal(book.submissionsWithin(4_000), Number.POSITIVE_INFINITY);
  book.refused('slowDown');
  t.ok(book.submissionsWithin(4_000) < 250);
});

test('reading goes on while submissions wait', async (t) => {
  const book = createChargeBook();
  book.open(presentLimits);
  while (book.waitMs() === 0) await book.turn('submit', never);
  const abandoned = new AbortController();
  const waiting = book.turn('submit', abandoned.signal);
  for (let asked = 0; asked < 100; asked++) await book.turn('ledger', never);
  abandoned.abort();
  await t.rejects(waiting, { name: 'LedgerUnavailable' });
});

test('waiting submissions go in their order', async (t) => {
  const book = createChargeBook();
  book.open({ ...presentLimits, warning: 100, perWarning: 0, drop: 1_000, perDrop: 0 });
  while (book.waitMs() === 0) await book.turn('submit', never);
  const order: number[] = [];
  const turns = Array.from({ length: 5 }, async (_, place) => {
    await book.turn('submit', never);
    order.push(place);
  });
  await Promise.all(turns);
  t.strictSame(order, [0, 1, 2, 3, 4]);
});

test('a submission that is not wanted any more when its turn comes is neither sent nor charged', async (t) => {
  const ready = Promise.withResolvers<void>();
  let now = 10_000;
  const book = createChargeBook(
    () => now,
    () => ready.promise,
  );
  book.open(presentLimits);
  while (book.waitMs() === 0) await book.turn('submit', never);
  t.equal(book.submissionsWaiting(), 0);
  let isWanted = true;
  const late = book.turn('submit', never, () => isWanted);
  const next = book.turn('submit', never, () => isWanted);
  const other = book.turn('submit', never);
  t.equal(book.submissionsWaiting(), 3);
  isWanted = false;
  now += 6_000;
  const before = book.submissionsWithin(0);
  ready.resolve();
  await Promise.all([late, next].map((turn) => t.rejects(turn, { name: 'Withdrawn' })));
  await other;
  t.equal(book.submissionsWaiting(), 0);
  t.equal(before - book.submissionsWithin(0), 1, 'only the last one was charged');
  await t.rejects(
    book.turn('submit', never, () => false),
    { name: 'Withdrawn' },
    'also with room',
  );
});

test('no server gets a submission that is not wanted any more when its turn comes', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  await ledger.close();
  const ready = Promise.withResolvers<void>();
  let now = 10_000;
  const book = createChargeBook(
    () => now,
    () => ready.promise,
  );
  const gateway = openGateway({ network: 'testnet', urls: [ledger.url], books: () => book });
  t.teardown(() => gateway.close());
  await until('a connection', async () => gateway.current().connected);
  ledger.faults.chargeClients();
  book.open(presentLimits);
  while (book.waitMs() === 0) await book.turn('submit', never);
  let isWanted = true;
  const late = gateway.submit('00', 0, () => isWanted);
  t.equal(gateway.submissionsWaiting(), 1);
  isWanted = false;
  now += 60_000;
  ready.resolve();
  await t.rejects(late, { name: 'Withdrawn' });
  t.equal(gateway.submissionsWaiting(), 0);
  const answer = await gateway.submit('00', 0, () => true);
  t.equal(answer.engineResult, 'invalidTransaction', 'the next one is sent');
});

test('after a refusal less is used, and slowly more again', (t) => {
  const { book, pass } = bookAt(presentLimits);
  pass(10 * 60_000);
  const before = book.submissionsWithin(60_000);
  book.refused('dropped');
  t.equal(book.submissionsWithin(4_000), 0, 'the server counts too much');
  pass(120_000);
  const after = book.submissionsWithin(60_000);
  t.ok(after > before * 0.6 && after < before * 0.8, `${after} of ${before}`);
  pass(30 * 60_000);
  t.equal(book.submissionsWithin(60_000), before);
  t.end();
});

/** A quarter of a public server's limits, exceeded by 500 submissions at once. */
const strict = { warning: 1_250, perWarning: 1_000, drop: 6_250, perDrop: 1_500 };

test('a public server drops a careless client', async (t) => {
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
});

test('the room of several servers adds up', async (t) => {
  const ledgers = await Promise.all([1, 2].map(() => createStandaloneLedger({ closeMs: 0 })));
  for (const ledger of ledgers) {
    t.teardown(() => ledger.stop());
    ledger.faults.chargeClients();
    await ledger.close();
  }
  const of = async (urls: readonly string[]) => {
    const gateway = openGateway({ network: 'testnet', urls });
    t.teardown(() => gateway.close());
    const isReady = async () => gateway.servers().every(({ state }) => state === 'ready');
    await until('the connections', isReady);
    return gateway.submissionsWithin(4_000);
  };
  const urls = ledgers.map(({ url }) => url);
  const [one, two] = [await of(urls.slice(0, 1)), await of(urls)];
  t.ok(one > 1_300 && one < 1_600, `${one}`);
  t.ok(Math.abs(two - 2 * one) < 5, `${two}`);
});

test('after a drop the gateway reconnects and continues more slowly', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  await ledger.close();
  ledger.faults.chargeClients();
  const gateway = openGateway({ network: 'testnet', urls: [ledger.url] });
  t.teardown(() => gateway.close());
  await until('a connection', async () => gateway.current().connected);
  t.ok(gateway.submissionsWithin(4_000) > 1_300);
  ledger.faults.closeConnections(1008);
  await until('the loss', async () => !gateway.current().connected);
  await until('a connection', async () => gateway.current().connected);
  t.equal(gateway.submissionsWithin(4_000), 0);
});
