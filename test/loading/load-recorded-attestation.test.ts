import { type Test, test } from 'tap';
import type { AttestationEvent } from '../../src/domain/attestation/events.ts';
import { longestChain } from '../../src/domain/attestation/is-provable.ts';
import type { CompletedProof } from '../../src/domain/proof/state.ts';
import { streams } from '../../src/domain/streams.ts';
import { loadRecordedAttestation } from '../../src/loading/load-recorded-attestation.ts';
import { recordList } from '../support/attested-ledger.ts';
import { createTestStore } from '../support/event-store.ts';
import { syntheticNetwork } from '../support/synthetic-network.ts';

const ledgerId = '1';
const never = 3_600_000;
const first = 1_000;
const last = first + longestChain;
const network = syntheticNetwork(2);

function hashOf(index: number): string {
  return index.toString(16).toUpperCase().padStart(64, '0');
}

/** Links of one header each, or of several if `step` is larger, and the signed ledger at the end. */
async function createSite(t: Test, step: number) {
  // Queries are counted below.
  const { store, pool } = await createTestStore(t, { checkEveryMs: never });
  const reference = await recordList(store, network.list());
  const linked = (index: number): AttestationEvent => ({
    type: 'LedgerLinked',
    data: {
      ...{ ledgerId, ledgerIndex: index, ledgerHash: hashOf(index), attestedIndex: last },
      leaves: Buffer.alloc(64 * 10, index).toString('base64'),
      next: { ledgerIndex: index + step, ledgerHash: hashOf(index + step) },
      links: Buffer.alloc(78 * step, index % 251).toString('base64'),
    },
  });
  const attested: AttestationEvent = {
    type: 'LedgerAttested',
    data: {
      ...{ ledgerId, ledgerIndex: last, ledgerHash: hashOf(last), ledgerHeader: '', leaves: '' },
      ...{ validations: [], manifests: [], validatorLists: [reference] },
    },
  };
  const count = longestChain / step;
  const events = [...Array.from({ length: count }, (_, n) => linked(first + n * step)), attested];
  const record = async (all: readonly AttestationEvent[]) => {
    const entries = all.map((event) => {
      const stream = streams.attestation(ledgerId, event.data.ledgerIndex);
      return { organisationId: null, stream, expectedVersion: 0, events: [event] };
    });
    for (let at = 0; at < entries.length; at += 500) {
      await store.append(entries.slice(at, at + 500), {});
    }
  };
  const proofAt = (index: number) =>
    ({
      request: { network: 'testnet' },
      anchor: { ledgerId, ledgerIndex: index, ledgerHash: hashOf(index) },
    }) as Pick<CompletedProof, 'request' | 'anchor'>;
  let queries = 0;
  const { query } = pool;
  pool.query = ((...args: Parameters<typeof query>) => {
    queries += 1;
    return query.apply(pool, args);
  }) as typeof query;
  const load = async (index: number) => {
    queries = 0;
    const before = process.cpuUsage();
    const start = performance.now();
    const recorded = await loadRecordedAttestation(store, proofAt(index));
    const { user, system } = process.cpuUsage(before);
    t.comment(
      `${last - index} headers: ${queries} queries, ${Math.round((user + system) / 1_000)} ms of ` +
        `processor time, ${Math.round(performance.now() - start)} ms`,
    );
    return { recorded, queries };
  };
  return { events, record, load };
}

test('reads the longest chain of ledgers in few queries', async (t) => {
  const { events, record, load } = await createSite(t, 1);
  await record(events);
  const { recorded, queries } = await load(first);
  const chain = Buffer.from(recorded?.chain ?? '', 'base64');
  t.equal(chain.length, longestChain * 78);
  for (const at of [0, 1, 127, 128, 129, 4_000, longestChain - 1]) {
    t.equal(chain[at * 78], (first + at) % 251, `header ${at}`);
  }
  t.equal(recorded?.attested.ledgerIndex, last);
  t.equal(recorded?.lists.length, 1);
  t.ok(queries <= 80, `${queries} queries`);
  t.ok((await load(last)).queries <= 2, 'a signed ledger needs no further query');
  t.equal((await load(last - 1)).recorded?.chain.length, 104);
});

test('reads a link over many ledgers without the ledgers between', async (t) => {
  const { events, record, load } = await createSite(t, 4_096);
  await record(events);
  const { recorded, queries } = await load(first);
  t.equal(Buffer.from(recorded?.chain ?? '', 'base64').length, longestChain * 78);
  t.ok(queries <= 4, `${queries} queries`);
});

test('finds nothing if a ledger of the chain is missing or another one', async (t) => {
  const { events, record, load } = await createSite(t, 1_024);
  const missing = events[2] as AttestationEvent;
  await record(events.filter((each) => each !== missing));
  t.equal((await load(first)).recorded, null);
  t.ok((await load(first + 3 * 1_024)).recorded);
  const another = { ...missing.data, ledgerHash: 'F0'.repeat(32) };
  await record([{ ...missing, data: another } as AttestationEvent]);
  t.equal((await load(first)).recorded, null);
});
