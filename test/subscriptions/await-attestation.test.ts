import { Subject, VirtualTimeScheduler } from 'rxjs';
import { test } from 'tap';
import type { AttestationEvent } from '../../src/domain/attestation/events.ts';
import type { CompletedProof } from '../../src/domain/proof/state.ts';
import type { EventHeader } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { createAttestationWait } from '../../src/subscriptions/await-attestation.ts';

const closedAt = '2026-11-21T01:06:31.000Z';
const proof = {
  request: { network: 'testnet' },
  anchor: { ledgerId: '1', ledgerIndex: 7, closeTimeIso: closedAt },
} as unknown as CompletedProof;
const recorded = { type: 'LedgerAttested' } as StoredEvent<AttestationEvent>;

/** A wait in virtual time; `isOver` is whether it has resolved. */
function createSite(options: { ageMs?: number; networks?: readonly 'testnet'[] } = {}) {
  const { ageMs = 1_000, networks = ['testnet'] } = options;
  const scheduler = new VirtualTimeScheduler();
  const changes = new Subject<EventHeader>();
  const asked: string[] = [];
  const state: { found: StoredEvent<AttestationEvent> | null; isOver: boolean } = {
    found: null,
    isOver: false,
  };
  const wait = createAttestationWait({
    store: { readLast: async () => state.found as never },
    watch: {
      changes: (stream) => {
        asked.push(stream);
        return changes;
      },
    },
    networks,
    now: () => new Date(Date.parse(closedAt) + ageMs),
    scheduler,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ changes, asked, state, settle },
    begin: async () => {
      void wait(proof).then(() => {
        state.isOver = true;
      });
      await settle();
    },
    passTo: async (ms: number) => {
      scheduler.maxFrames = ms;
      scheduler.flush();
      await settle();
    },
  };
}

test('a wait ends after five seconds without an attestation', async (t) => {
  const site = createSite();
  await site.begin();
  await site.passTo(4_999);
  t.equal(site.state.isOver, false);
  await site.passTo(5_000);
  t.equal(site.state.isOver, true);
  t.equal(site.changes.observed, false, 'no subscription is left');
});

test('a wait ends with the attestation, on record before or recorded meanwhile', async (t) => {
  const meanwhile = createSite();
  await meanwhile.begin();
  t.strictSame(meanwhile.asked, ['attestation-1-7']);
  t.equal(meanwhile.state.isOver, false);
  meanwhile.changes.next({ position: 9, stream: 'attestation-1-7', type: 'LedgerLinked' });
  await meanwhile.settle();
  t.equal(meanwhile.state.isOver, true);

  const before = createSite();
  before.state.found = recorded;
  await before.begin();
  t.equal(before.state.isOver, true);
});

test('nobody waits for a ledger of long ago, or without validator lists', async (t) => {
  for (const site of [createSite({ ageMs: 60_001 }), createSite({ networks: [] })]) {
    await site.begin();
    t.equal(site.state.isOver, true);
    t.strictSame(site.asked, []);
  }
});
