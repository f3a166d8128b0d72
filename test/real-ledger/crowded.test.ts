import { test } from 'tap';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { createAnchoringSiteOn, type LedgerServer } from '../support/anchoring-site.ts';
import { startClio } from '../support/clio.ts';
import { createCrowd } from '../support/crowd.ts';
import { noRippled, startRippled } from '../support/real-ledger.ts';
import { staleFees } from '../support/stale-fees.ts';

const openLedgerLimit = 10;
const proofs = 40;
const crowdPays = 20;

const limits = { openLedgerLimit, openLedgerMaximum: openLedgerLimit };
const standalone = () => createStandaloneLedger({ closeMs: 0, ...limits });
const ledgers: readonly {
  name: string;
  skip: string | false;
  start: () => Promise<LedgerServer>;
}[] = [
  { name: 'the standalone ledger', skip: false, start: standalone },
  { name: 'rippled', skip: noRippled, start: () => startRippled(limits) },
];

const fullLedgers = [
  ...ledgers.map((ledger) => ({ ...ledger, isClio: false })),
  ...ledgers.map(({ name, ...ledger }) => ({
    ...ledger,
    name: `${name} behind Clio`,
    isClio: true,
  })),
];

for (const { name, skip, start, isClio } of fullLedgers) {
  test(`others fill every ledger of ${name}, and proofs are anchored once each`, {
    skip,
  }, async (t) => {
    const site = await createAnchoringSiteOn(t, start);
    const crowd = await createCrowd(site.ledger.url, 6);
    t.teardown(() => crowd.close());
    await site.fund(crowd.addresses);
    await crowd.fill(crowdPays);
    await site.ledger.close();
    const url = isClio ? (await startClio(t, site.ledger.url)).url : site.ledger.url;
    const process = await site.start({ maxFeeDrops: 1_000, url });
    const ids = await Promise.all(
      Array.from({ length: proofs }, () => site.request({ queued: true })),
    );
    let closed = 0;
    await site.closeUntil(async () => {
      closed += 1;
      await crowd.fill(crowdPays);
      const states = await Promise.all(ids.map((id) => site.state(id)));
      return states.every(({ status }) => status === 'completed');
    }, 200);
    t.comment(`${proofs} proofs in ${closed} ledgers`);
    const expired = await site.store.readLog(0, 10_000, ['AnchorExpired']);
    t.strictSame(expired, [], 'no transaction expired');
    const anchored = await site.anchored();
    t.equal(anchored.filter(({ fileHash }) => fileHash !== null).length, proofs);
    t.strictSame(process.errors, []);
  });
}

/** Ledgers for which a transaction lives after the one in which it is signed. */
const lifetime = 8;

for (const { name, skip, start } of ledgers) {
  test(`others outbid transactions that wait for a ledger of ${name}, and replacements get in`, {
    skip,
  }, async (t) => {
    const site = await createAnchoringSiteOn(t, start);
    const crowd = await createCrowd(site.ledger.url, 6);
    t.teardown(() => crowd.close());
    await site.fund(crowd.addresses);
    const fees = staleFees();
    const process = await site.start({ maxFeeDrops: 1_000, gateway: fees.of });
    await site.settle([await site.request()]);
    fees.hold();
    await crowd.fill(crowdPays);
    const ids = await Promise.all([...Array(10)].map(() => site.request({ queued: true })));
    await Promise.all(ids.map((id) => site.until(id, ({ status }) => status === 'processing')));
    let closed = 0;
    const ledgersOf = new Map<string, number>();
    await site.closeUntil(async () => {
      closed += 1;
      await crowd.fill(crowdPays);
      for (const id of ids) {
        const { status } = await site.state(id);
        if (status === 'completed' && !ledgersOf.has(id)) ledgersOf.set(id, closed);
      }
      return ledgersOf.size === ids.length;
    }, 200);
    const counts = [...ledgersOf.values()].sort((a, b) => a - b);
    t.comment(`ledgers until anchored: ${counts.join(' ')}`);
    t.ok(closed < lifetime, 'before the first transactions would have expired');
    t.strictSame(await site.store.readLog(0, 10_000, ['AnchorExpired']), []);
    const anchored = await site.anchored();
    t.equal(anchored.filter(({ fileHash }) => fileHash !== null).length, ids.length + 1);
    t.strictSame(process.errors, []);
  });
}
