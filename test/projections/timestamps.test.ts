import { type Test, test } from 'tap';
import { access } from '../../projections/access/project.ts';
import { evidence } from '../../projections/evidence/project.ts';
import { dueStampedSuccessors, dueSuccessors } from '../../projections/evidence/query.ts';
import { timestamps } from '../../projections/timestamps/project.ts';
import { findTimestamp } from '../../projections/timestamps/query.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId, ProofId } from '../../src/domain/ulid.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { countDueSuccessors } from '../../src/telemetry/due-successors.ts';
import { createTestStore } from '../support/event-store.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const ledgerId = '1-L';
const hour = 3_600_000;
const hash = 'A'.repeat(64);

const anchored: DomainEvent = {
  type: 'Anchored',
  data: {
    ...{ ledgerId, ledgerIndex: 5, ledgerHash: hash, transactionHash: hash, closeTime: 1 },
    ...{ closeTimeIso: '2000-01-01T00:00:01Z', transactionIndex: 0, metadata: '' },
    ledgerHeader: '',
  },
};
const attested: DomainEvent = {
  type: 'LedgerAttested',
  data: {
    ...{ ledgerId, ledgerIndex: 5, ledgerHash: hash, ledgerHeader: '', leaves: '' },
    ...{ validations: [], manifests: [], validatorLists: [] },
  },
};
/** A certificate whose Anchored event has this position. */
const certificate = (
  position: number | null,
  { isAttested = false, isStamped = false } = {},
): DomainEvent =>
  ({
    type: 'CertificateIssued',
    data: {
      ledger: { ledgerId, ledgerIndex: 5 },
      attestation: isAttested ? {} : null,
      timestamp: isStamped ? {} : null,
      logInclusion: position === null ? null : { leafIndex: position - 1 },
    },
  }) as unknown as DomainEvent;
const token = (size: number, origin = 'log'): DomainEvent => ({
  type: 'CheckpointTimestamped',
  data: {
    ...{ origin, size, rootHash: `${size}`.padStart(64, '0') },
    ...{ authority: 'A', time: '2026-11-23T00:00:00.000Z', token: '' },
  },
});

async function createSite(t: Test) {
  const clock = { ago: 0 };
  const { db, store, pool } = await createTestStore(t, {
    now: () => new Date(Date.now() - clock.ago),
  });
  const projections = [access, evidence, timestamps];
  for (const each of projections) await prepareProjection(db, each);
  const versions = new Map<string, number>();
  const append = async (stream: string, event: DomainEvent, ago = 0) => {
    clock.ago = ago;
    const expectedVersion = versions.get(stream) ?? 0;
    versions.set(stream, expectedVersion + 1);
    const owner = stream.startsWith('proof-') ? organisationId : null;
    const entry = { organisationId: owner, stream, expectedVersion, events: [event] };
    await store.append([entry], {});
  };
  const settle = async () => catchUp({ db, store, projections, position: await store.head() });
  const ids = (due: readonly { readonly proofId: ProofId }[]) =>
    due.map((one) => one.proofId).sort();
  return {
    settle,
    db,
    issue: (id: string, ...[event, ago]: [DomainEvent, number?]) =>
      append(streams.proof(id as ProofId), event, ago),
    stamp: (size: number, origin?: string) =>
      append(`timestamp-${origin}-${size}`, token(size, origin)),
    attest: async () => {
      await append(streams.proof('ANCHOR' as ProofId), anchored);
      await append('attestation-1-L-5', attested);
    },
    due: async (except: readonly string[] = []) => {
      await settle();
      const found = await dueStampedSuccessors(db, 10, except as ProofId[]);
      return { found, ids: ids(found), signed: ids(await dueSuccessors(db, 10, [])) };
    },
    counted: async (hasTokens: boolean) => {
      const client = await pool.connect();
      return countDueSuccessors(client, hasTokens).finally(() => client.release());
    },
  };
}

test('the earliest checkpoint that covers an event is found, of any epoch', async (t) => {
  const { stamp, settle, db } = await createSite(t);
  await stamp(10, 'log');
  await stamp(20, 'log/2');
  await stamp(30, 'log/2');
  await settle();
  const streamOf = (position: number) => findTimestamp(db, position);
  t.equal(await streamOf(10), 'timestamp-log-10');
  t.equal(await streamOf(11), 'timestamp-log/2-20');
  t.equal(await streamOf(21), 'timestamp-log/2-30');
  t.equal(await streamOf(31), null);
});

test('a certificate with signatures is due as soon as a token covers its proof', async (t) => {
  const site = await createSite(t);
  await site.issue('COVERED', certificate(10, { isAttested: true }));
  await site.issue('LATER', certificate(11, { isAttested: true }));
  await site.issue('BEFORE-THE-LOG', certificate(null, { isAttested: true }));
  t.strictSame((await site.due()).ids, []);
  await site.stamp(10);
  const due = await site.due();
  t.strictSame(due.found, [{ proofId: 'COVERED', organisationId, lacksSignatures: false }]);
  t.strictSame(due.signed, [], 'not without an authority');
  t.strictSame((await site.due(['COVERED'])).ids, []);
  await site.issue('COVERED', certificate(10, { isAttested: true, isStamped: true }));
  t.strictSame((await site.due()).ids, []);
});

test('a certificate that lacks both waits two hours for the second', async (t) => {
  const site = await createSite(t);
  await site.issue('OLD', certificate(10), 2 * hour + 60_000);
  await site.issue('YOUNG', certificate(10), 2 * hour - 60_000);
  await site.attest();
  const signed = await site.due();
  t.strictSame(signed.found, [{ proofId: 'OLD', organisationId, lacksSignatures: true }]);
  t.strictSame(signed.signed, ['OLD', 'YOUNG'], 'without an authority nobody waits');
  t.equal(await site.counted(true), 1);
  t.equal(await site.counted(false), 2);
  await site.stamp(10);
  t.strictSame((await site.due()).ids, ['OLD', 'YOUNG']);
  t.equal(await site.counted(true), 2);
});

test('a token alone is due after two hours without signatures', async (t) => {
  const site = await createSite(t);
  await site.issue('OLD', certificate(10), 2 * hour + 60_000);
  await site.issue('YOUNG', certificate(10), 2 * hour - 60_000);
  await site.stamp(10);
  const due = await site.due();
  t.strictSame(due.found, [{ proofId: 'OLD', organisationId, lacksSignatures: false }]);
  await site.attest();
  t.match((await site.due()).found, [{ lacksSignatures: true }, { lacksSignatures: true }]);
});

test('after seven days a certificate gets a token only on request, however the log is cut', async (t) => {
  for (const cuts of [false, true]) {
    const site = await createSite(t);
    const settle = async () => (cuts ? site.settle() : undefined);
    await site.issue('OLD', certificate(10, { isAttested: true }), 7 * 24 * hour + 60_000);
    await settle();
    await site.issue('YOUNG', certificate(11, { isAttested: true }), 7 * 24 * hour - 60_000);
    await settle();
    await site.issue('NEW', certificate(12, { isAttested: true }));
    await settle();
    await site.stamp(12);
    t.strictSame((await site.due()).ids, ['NEW', 'YOUNG']);
  }
});
