import { test } from 'tap';
import { evidence } from '../../projections/evidence/project.ts';
import { dueSuccessors, isLedgerAttested } from '../../projections/evidence/query.ts';
import { longestChain } from '../../src/domain/attestation/is-provable.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createTestStore, type TestStore } from '../support/event-store.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const ledgerId = '1-L';
const hash = (n: number) => n.toString(16).toUpperCase().padStart(64, '0');
const anchored = (ledgerIndex: number, ledgerHash = hash(ledgerIndex)): DomainEvent => ({
  type: 'Anchored',
  data: {
    ...{ ledgerId, ledgerIndex, ledgerHash, transactionHash: hash(1), closeTime: 1 },
    ...{ closeTimeIso: '2000-01-01T00:00:01Z', transactionIndex: 0, metadata: '' },
    ledgerHeader: '',
  },
});
const attested = (ledgerIndex: number, ledgerHash = hash(ledgerIndex)): DomainEvent => ({
  type: 'LedgerAttested',
  data: {
    ...{ ledgerId, ledgerIndex, ledgerHash, ledgerHeader: '', leaves: '' },
    ...{ validations: [], manifests: [], validatorLists: [] },
  },
});
const linked = (ledgerIndex: number, attestedIndex: number): DomainEvent => ({
  type: 'LedgerLinked',
  data: {
    ...{ ledgerId, ledgerIndex, ledgerHash: hash(ledgerIndex), leaves: '', links: '' },
    ...{ attestedIndex, next: { ledgerIndex: attestedIndex, ledgerHash: hash(attestedIndex) } },
  },
});
const certificate = (ledgerIndex: number | null, isAttested = false): DomainEvent =>
  ({
    type: 'CertificateIssued',
    data: {
      ledger: ledgerIndex === null ? null : { ledgerId, ledgerIndex },
      attestation: isAttested ? {} : null,
    },
  }) as DomainEvent;
const proof = (id: string) => streams.proof(id as ProofId);

/** Appends one event after the other; `cut` says after which ones the projection catches up. */
async function folded(
  { db, store }: TestStore,
  events: readonly (readonly [stream: string, event: DomainEvent])[],
  cut: (place: number) => boolean,
): Promise<unknown> {
  await prepareProjection(db, evidence);
  const settle = async () =>
    catchUp({ db, store, projections: [evidence], position: await store.head() });
  const versions = new Map<string, number>();
  for (const [place, [stream, event]] of events.entries()) {
    const expectedVersion = versions.get(stream) ?? 0;
    versions.set(stream, expectedVersion + 1);
    const owner = stream.startsWith('proof-') ? organisationId : null;
    const entry = { organisationId: owner, stream, expectedVersion, events: [event] };
    await store.append([entry], {});
    if (cut(place)) await settle();
  }
  await settle();
  const at = async (ledgerIndex: number, ledgerHash = hash(ledgerIndex)) =>
    isLedgerAttested(db, { ledgerId, ledgerIndex, ledgerHash });
  const linkedOnes = { 3: await at(3), 4: await at(4) };
  return {
    attested: {
      ...linkedOnes,
      5: await at(5),
      6: await at(6),
      7: await at(7),
      8: await at(8),
      9: await at(9),
      10: await at(10),
      forged: (await at(9, hash(99))) || (await at(10, hash(100))) || (await at(8, hash(88))),
    },
    due: (await dueSuccessors(db, 10, [])).map(({ proofId }) => proofId),
  };
}

const history: readonly (readonly [string, DomainEvent])[] = [
  [proof('P5'), anchored(5)],
  [proof('P5'), certificate(5)],
  ['attestation-1-L-5', attested(5)],
  // Attested before the proof is on record.
  ['attestation-1-L-6', attested(6)],
  [proof('P6'), anchored(6)],
  [proof('P6'), certificate(6)],
  // The successor follows.
  ['attestation-1-L-7', attested(7)],
  [proof('P7'), anchored(7)],
  [proof('P7'), certificate(7)],
  [proof('P7'), certificate(7, true)],
  // A server showed another ledger than the one that the validators signed.
  [proof('P8'), anchored(8, hash(88))],
  [proof('P8'), certificate(8)],
  ['attestation-1-L-8', attested(8)],
  // Proofs in two ledgers of the same index.
  [proof('P9'), anchored(9)],
  [proof('P9'), certificate(9)],
  ['attestation-1-L-9', attested(9)],
  [proof('PX'), anchored(9, hash(99))],
  [proof('PX'), certificate(9)],
  // The forged ledger came first.
  [proof('PF'), anchored(10, hash(100))],
  [proof('PF'), certificate(10)],
  [proof('PG'), anchored(10)],
  [proof('PG'), certificate(10)],
  ['attestation-1-L-10', attested(10)],
  [proof('PH'), anchored(10)],
  [proof('PH'), certificate(10)],
  [proof('PI'), anchored(10, hash(100))],
  [proof('PI'), certificate(10)],
  // Linked by the longest chain of a bundle, and by a longer one.
  [proof('P3'), anchored(3)],
  ['attestation-1-L-3', linked(3, 3 + longestChain)],
  [proof('P4'), anchored(4)],
  [proof('P4'), certificate(4)],
  ['attestation-1-L-4', linked(4, 5 + longestChain)],
  // A token may come before the signatures.
  [proof('PT'), anchored(11)],
  [proof('PT'), certificate(11)],
  [proof('PT'), certificate(11)],
  ['attestation-1-L-11', attested(11)],
  // Of before signatures were issued.
  [proof('PY'), anchored(5)],
  [proof('PY'), certificate(null)],
];
const expected = {
  attested: {
    ...{ 3: true, 4: false, 5: true, 6: true, 7: true, 8: true, 9: true, 10: true },
    forged: false,
  },
  due: ['P5', 'P6', 'P9', 'PG', 'PH', 'PT'],
};

test('shows attested ledgers and due successors, however the log is cut', async (t) => {
  const cuts: readonly ((place: number) => boolean)[] = [
    () => false,
    () => true,
    (place) => place % 2 === 0,
    (place) => place % 3 === 1,
  ];
  for (const cut of cuts) {
    const site = await createTestStore(t);
    await site.store.createKeys(organisationId);
    t.strictSame(await folded(site, history, cut), expected);
  }
});

test('leaves out proofs that the caller excludes, and those of closed organisations', async (t) => {
  const site = await createTestStore(t);
  await site.store.createKeys(organisationId);
  await folded(site, history, () => false);
  t.match(await dueSuccessors(site.db, 1, []), [{ proofId: 'P5', organisationId }]);
  t.match(await dueSuccessors(site.db, 1, ['P5' as ProofId]), [{ proofId: 'P6' }]);
  t.equal((await dueSuccessors(site.db, 10, [])).length, 6);
  await site.pool.query('INSERT INTO closed_organisations VALUES ($1, false)', [organisationId]);
  t.strictSame(await dueSuccessors(site.db, 10, []), []);
});
