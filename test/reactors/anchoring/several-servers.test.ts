import { test } from 'tap';
import type { SignedTransaction } from '../../../src/domain/ledger/transaction.ts';
import { createGateway } from '../../../src/ledger/gateway.ts';
import { presentLimits } from '../../../src/ledger/request-charge.ts';
import { Submission } from '../../../src/reactors/anchoring/submission.ts';
import { seededRandom } from '../../support/seed.ts';
import { SimulatedPublicServer } from '../../support/simulated-public-server.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const seconds = 120;

/** Submissions a second through this number of public servers, of a backlog without end. */
async function rateOf(servers: number, oneWayMs: number, random: () => number): Promise<number> {
  const clock = new VirtualClock(10_000);
  const all = Array.from({ length: servers }, () => {
    return new SimulatedPublicServer({ clock, limits: presentLimits, random, oneWayMs });
  });
  const opening = Promise.all(all.map((server) => server.connect()));
  await clock.pass(2_000);
  const processes = await opening;
  for (const process of processes) void process.read();
  const gateway = createGateway(
    'testnet',
    processes.map((process, place) => process.connection(`wss://server-${place}`)),
  );
  const submission = new Submission(gateway);
  await submission.send(backlog, 10);
  submission.fill({ ledgerId: '1', byAccount: new Map([['r', backlog.length]]) });
  await clock.pass(60_000);
  const submitted = () => all.reduce((sum, server) => sum + server.submitted, 0);
  const before = submitted();
  await clock.pass(seconds * 1_000);
  const rate = (submitted() - before) / seconds;
  for (const process of processes) process.end();
  await gateway.close();
  if (all.some(({ drops }) => drops > 0)) throw new Error('a server dropped the connection');
  return rate;
}

const backlog = Array.from({ length: 40_000 }, (_, place): SignedTransaction => {
  const hash = String(place);
  return {
    ...{ ledgerId: '1', transactionHash: hash, blob: hash, account: 'r', sequence: place + 1 },
    ...{ minLedger: 10, feeDrops: 10, lastLedgerSequence: 1_000_000, replaces: null },
  };
});

for (const oneWayMs of [1, 50, 100]) {
  test(`servers at a distance of ${oneWayMs} ms add up`, async (t) => {
    const random = seededRandom(t);
    const one = await rateOf(1, oneWayMs, random);
    const two = await rateOf(2, oneWayMs, random);
    const four = await rateOf(4, oneWayMs, random);
    t.ok(one > 28, `${one} a second through one`);
    t.ok(two > 1.8 * one && two < 2.4 * one, `${two} through two`);
    t.ok(four > 3.6 * one && four < 4.8 * one, `${four} through four`);
  });
}
