import { test } from 'tap';
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
