import { test } from 'tap';
import { createChargeBook } from '../../src/ledger/charge-book.ts';
import { createGateway } from '../../src/ledger/gateway.ts';
import { LedgerUnavailable, Withdrawn } from '../../src/ledger/ledger-unavailable.ts';
import {
  type ChargeLimits,
  earlierLimits,
  presentLimits,
} from '../../src/ledger/request-charge.ts';
import { seededRandom } from '../support/seed.ts';
import { SimulatedPublicServer } from '../support/simulated-public-server.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const everyLimits = [
  { name: 'rippled since 2.3.1', limits: presentLimits },
  { name: 'rippled 2.3.0', limits: earlierLimits },
];

/** A server whose clock ticks at another time than ours. */
function serverWith(limits: ChargeLimits, random: () => number) {
  const clock = new VirtualClock(10_000 + random() * 1_000);
  return { clock, server: new SimulatedPublicServer({ clock, limits, random }) };
}

for (const { name, limits } of everyLimits) {
  test(`restarts at the limit of ${name} lose no connection`, async (t) => {
    const random = seededRandom(t);
    for (const downMs of [1_100, 2_000, 10_000, 30_000]) {
      const { clock, server } = serverWith(limits, random);
      for (let start = 0; start < 4; start++) {
        const connecting = server.connect();
        await clock.pass(1_000);
        const process = await connecting;
        void process.read();
        void process.submit();
        await clock.pass(20_000 + random() * 5_000);
        process.end();
        await clock.pass(downMs);
        if (server.drops > 0) break;
      }
      t.equal(server.drops, 0, `restarts that take ${downMs} ms`);
      t.ok(server.submitted > 0);
    }
  });

  test(`a process that takes the work over loses no connection to ${name}`, async (t) => {
    const random = seededRandom(t);
    const { clock, server } = serverWith(limits, random);
    const opening = [server.connect(), server.connect()] as const;
    await clock.pass(1_000);
    const [first, second] = await Promise.all(opening);
    void first.read();
    void second.read();
    void first.submit();
    await clock.pass(60_000);
    t.equal(server.drops, 0, 'while one submits');
    first.end();
    await clock.pass(1_000);
    void second.submit();
    await clock.pass(60_000);
    t.equal(server.drops, 0, 'after the other took over');
    second.end();
  });
}

test('processes that divide a server by configuration lose no connection', async (t) => {
  const random = seededRandom(t);
  const { clock, server } = serverWith(presentLimits, random);
  const opening = [server.connect(0.4), server.connect(0.4)] as const;
  await clock.pass(1_000);
  for (const process of await Promise.all(opening)) {
    void process.read();
    void process.submit();
    await clock.pass(random() * 4_000);
  }
  await clock.pass(300_000);
  t.equal(server.drops, 0);
  t.ok(server.submitted / 300 > 25, `${server.submitted} submissions`);
});

test('processes that divide a server promise as much as it takes', async (t) => {
  const random = seededRandom(t);
  for (const { processes, ownPart } of [
    { processes: 4, ownPart: 0.2 },
    { processes: 5, ownPart: 0.15 },
  ]) {
    const { clock, server } = serverWith(presentLimits, random);
    const opening = Array.from({ length: processes }, () => server.connect(ownPart));
    await clock.pass(1_000);
    const all = await Promise.all(opening);
    for (const process of all) {
      void process.read();
      void process.submit();
      await clock.pass(random() * 4_000);
    }
    await clock.pass(60_000);
    const before = server.submitted;
    let promised = 0;
    for (let minute = 0; minute < 5; minute++) {
      for (const { book } of all) promised += book.submissionsWithin(60_000);
      await clock.pass(60_000);
    }
    for (const process of all) process.end();
    const submitted = server.submitted - before;
    const isNear = promised > submitted * 0.8 && promised < submitted * 1.17;
    t.ok(isNear, `${promised} for ${submitted} of ${processes}`);
    t.equal(server.drops, 0);
  }
});

const never = new AbortController().signal;

/** A book in virtual time whose connection was dropped, and then warned of the load of others. */
function refusedBook(warnedEveryMs: number) {
  const clock = new VirtualClock(10_000);
  const book = createChargeBook(clock.now, clock.wait);
  book.open(presentLimits);
  book.refused('dropped');
  /** Lets this time pass, while others keep the server's sum above the warning. */
  const pass = async (ms: number) => {
    for (const end = clock.now() + ms; clock.now() < end; ) {
      await clock.pass(warnedEveryMs);
      book.answered({ warned: true, isError: false });
    }
  };
  return { book, clock, pass };
}

test('after a refusal an idle process keeps room beside the load of others', async (t) => {
  for (const warnedEveryMs of [6_000, 25_000]) {
    const { book, pass } = refusedBook(warnedEveryMs);
    await pass(60_000);
    for (let minute = 0; minute < 20; minute++) {
      t.ok(book.submissionsWithin(4_000) > 0, `warned every ${warnedEveryMs} ms`);
      await pass(60_000);
    }
  }
});

test('a submission that waits alone gets its turn beside the load of others', async (t) => {
  const { book, clock, pass } = refusedBook(4_000);
  const since = clock.now();
  let waitedMs = Number.POSITIVE_INFINITY;
  void book.turn('submit', never).then(() => {
    waitedMs = clock.now() - since;
  });
  await pass(5 * 60_000);
  t.ok(waitedMs < 90_000, `${waitedMs} ms`);
});

for (const { readers, ownPart } of [
  { readers: 1, ownPart: 0.9 },
  { readers: 4, ownPart: 0.8 },
]) {
  test(`one that submits with ${ownPart} of the limit bears ${readers} that read`, async (t) => {
    const random = seededRandom(t);
    for (const { name, limits } of everyLimits) {
      const { clock, server } = serverWith(limits, random);
      // The server's seconds begin at another time than the windows.
      const phaseMs = random() * 1_000;
      const opening = Array.from({ length: readers + 1 }, () =>
        server.connect(ownPart, phaseMs + random() * 200),
      );
      await clock.pass(1_000);
      const processes = await Promise.all(opening);
      for (const process of processes) {
        void process.read();
        await clock.pass(random() * 4_000);
      }
      const [submitting, ...reading] = processes;
      for (const process of reading) void process.lookUp(1, random);
      void submitting?.submit();
      await clock.pass(600_000);
      t.equal(server.drops, 0, name);
      t.ok(server.submitted / 600 > 18, `${server.submitted} submissions`);
      for (const process of processes) process.end();
    }
  });
}

test('a process that only reads does not wait for what another one submits', async (t) => {
  const random = seededRandom(t);
  const { clock, server } = serverWith(presentLimits, random);
  const opening = [server.connect(0.4), server.connect(0.4)] as const;
  await clock.pass(1_000);
  const [submitting, reading] = await Promise.all(opening);
  void submitting.read();
  void submitting.submit();
  await clock.pass(60_000);
  let longestMs = 0;
  let asked = 0;
  let answered = 0;
  for (const end = clock.now() + 120_000; clock.now() < end; await clock.pass(250)) {
    const since = clock.now();
    asked += 1;
    void reading.ask('tx').then(() => {
      answered += 1;
      longestMs = Math.max(longestMs, clock.now() - since);
    });
  }
  await clock.pass(10_000);
  t.equal(answered, asked);
  t.ok(longestMs < 7_000, `${longestMs} ms`);
  t.equal(server.drops, 0);
  for (const process of [submitting, reading]) process.end();
});

test('a server that has warned is taken to charge after a new connection too', async (t) => {
  for (const warned of [true, false]) {
    const clock = new VirtualClock(10_000);
    const book = createChargeBook(clock.now, clock.wait);
    book.open(presentLimits);
    for (let sent = 0; sent < 600; sent++) {
      t.equal(book.waitMs(), 0);
      await book.turn('submit', never);
    }
    book.answered({ warned, isError: false });
    book.open(presentLimits);
    for (let second = 0; second < 6; second++) {
      await clock.pass(1_000);
      book.answered({ warned: false, isError: false });
    }
    t.equal(Number.isFinite(book.submissionsWithin(4_000)), warned);
  }
});

test('a process that shares a server by configuration is charged without a warning', async (t) => {
  const clock = new VirtualClock(10_000);
  const book = createChargeBook(clock.now, clock.wait, 0.9);
  book.open(presentLimits);
  for (let sent = 0; sent < 600; sent++) await book.turn('submit', never);
  for (let second = 0; second < 6; second++) {
    await clock.pass(1_000);
    book.answered({ warned: false, isError: false });
  }
  t.ok(Number.isFinite(book.submissionsWithin(4_000)));
});

test('a process that holds what others charge does not promise room too early', async (t) => {
  const clock = new VirtualClock(10_000);
  const book = createChargeBook(clock.now, clock.wait);
  book.open(presentLimits);
  book.answered({ warned: true, isError: false });
  await clock.pass(5_000);
  t.ok(book.waitMs() > 0);
});

test('a submission that is not wanted any more is offered to no further server', async (t) => {
  const { clock, server } = serverWith(presentLimits, seededRandom(t));
  const opening = server.connect();
  await clock.pass(1_000);
  const process = await opening;
  const offered: string[] = [];
  const gateway = createGateway(
    'testnet',
    ['wss://first', 'wss://second'].map((name) => ({
      ...process.connection(name),
      async submit(): Promise<never> {
        offered.push(name);
        throw new Withdrawn();
      },
    })),
  );
  await t.rejects(gateway.submit('00'), { name: 'Withdrawn' });
  t.equal(offered.length, 1);
  const lost = new LedgerUnavailable('no answer');
  const afterLoss = createGateway(
    'testnet',
    [lost, new Withdrawn()].map((error) => ({
      ...process.connection('wss://server'),
      submit: () => Promise.reject(error),
    })),
  );
  await t.rejects(afterLoss.submit('00'), lost, 'the first server may have it');
  await afterLoss.close();
  process.end();
  await gateway.close();
});
