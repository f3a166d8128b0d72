import { test } from 'tap';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { closeTime, linkingSite } from '../../support/linking-site.ts';
import { laterHeaders, writeHeader } from '../../support/synthetic-network.ts';

const hashOf = (index: number) => index.toString(16).toUpperCase().padStart(64, '0');
const ledgerHeader = '00'.repeat(118);

const anchoredAt = (ledgerIndex: number) =>
  ({
    ...{ type: 'Anchored', recordedAt: '2026-01-01T00:00:00.000Z' },
    data: {
      ledgerId: '1-A',
      ledgerIndex,
      ledgerHash: hashOf(ledgerIndex),
      ledgerHeader,
      closeTime,
    },
  }) as unknown as StoredEvent;

/** Processor time of this process, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const ledgersOf = { '9 hours': 8_100, '3 days': 64_800 } as const;
for (const [outage, ledgers] of Object.entries(ledgersOf)) {
  test(`after ${outage} without a quorum the work and the state stay small`, async (t) => {
    const site = linkingSite([], [], { restMs: 2_000 });
    const { fold, attesting, linking, wait } = site;
    for (let index = 1; index <= ledgers; index += 1) {
      fold.observe([anchoredAt(index)], index);
      site.hear({ index, hash: hashOf(index).toLowerCase() }, index % 500 === 0 ? 3 : 0);
      if (index % 900 !== 0) continue;
      wait(3_600_000);
      await attesting.attest();
      await linking.link();
    }
    const bytes = JSON.stringify(fold.state).length;
    t.ok(bytes < 6_000_000, `the state has ${bytes} bytes`);
    const before = processorMs();
    for (let tick = 0; tick < 200; tick += 1) {
      wait(100);
      await attesting.attest();
      await linking.link();
    }
    const perTick = (processorMs() - before) / 200;
    t.ok(perTick < 5, `a tick takes ${perTick} ms`);
    t.equal(site.turns(), 0, 'no right to link is taken while there is nothing to link to');
    const given = site.givenUp.flat();
    t.equal(given.length + fold.size, ledgers);
    const looked = site.pages.reduce((sum, names) => sum + names, 0);
    t.ok(looked <= ledgers + 128, 'each index is looked up once');
    t.ok(site.pages.length <= 1 + ledgers / 128, 'in large pages');
  });
}

test('ledgers that an attested one on record can still prove are not given up', async (t) => {
  const first = writeHeader({ index: 100, closeTime });
  const headers = [first, ...laterHeaders(first, 20)];
  const [tenth = first] = headers.slice(10);
  const site = linkingSite([first], headers);
  const { recorded, fold, linking } = site;
  const place = { ledgerId: '1-A', ledgerIndex: 110, ledgerHash: tenth.hash.toUpperCase() };
  recorded.push({ type: 'LedgerAttested', data: place } as never);
  const far = { ledgerId: '1-A', ledgerIndex: 50_000, ledgerHash: hashOf(1) };
  fold.attested({ ...far, attestedIndex: 50_000 });
  await linking.link();
  t.strictSame(site.types(), ['LedgerAttested 110', 'LedgerLinked 100']);
  t.strictSame(site.givenUp, []);
});

test('ledgers that nothing can prove any more are reported together', async (t) => {
  const site = linkingSite([], []);
  const { fold, linking } = site;
  fold.observe([1, 2, 3, 20_000].map(anchoredAt), 1);
  const far = { ledgerId: '1-A', ledgerIndex: 50_000, ledgerHash: hashOf(1) };
  fold.attested({ ...far, attestedIndex: 50_000 });
  await linking.link();
  t.strictSame(site.givenUp, [[1, 2, 3, 20_000]]);
  t.equal(fold.size, 0);
});

test('ledgers that a quorum in memory may still prove are not given up', async (t) => {
  const site = linkingSite([], []);
  const { fold, linking } = site;
  fold.observe([1, 2, 3, ...Array.from({ length: 8 }, (_, nth) => 9_000 + nth)].map(anchoredAt), 1);
  // No server shows its header yet.
  site.hear({ index: 8_194, hash: hashOf(8_194).toLowerCase() });
  await linking.link();
  t.strictSame(site.givenUp, [[1]]);
});
