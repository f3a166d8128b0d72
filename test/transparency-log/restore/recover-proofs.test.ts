import { test } from 'tap';
import { foldAnchoring } from '../../../src/anchoring-state/read-anchoring.ts';
import { commit } from '../../../src/domain/proof/commit.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type {
  AnchorPrepared,
  ProofEvent,
  ProvenDocument,
} from '../../../src/domain/proof/events.ts';
import { type HashScheme, hashSchemes, isSalted } from '../../../src/domain/proof/hash-scheme.ts';
import { proofMemo } from '../../../src/domain/proof/memo.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import type { TransactionLookup } from '../../../src/ledger/contract.ts';
import {
  OpenCommitments,
  recoverProof,
} from '../../../src/transparency-log/restore/recover-proofs.ts';
import { emptyReadModels } from '../../reactors/anchoring/simulation/empty-read-models.ts';
import { createMemoryEventStore } from '../../reactors/anchoring/simulation/memory-event-store.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const ledgerId = '1-AA';
const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const workspaceId = '01BX5ZZKBKACTAV9WEVGEMMVS0' as WorkspaceId;
const unitMonth = '2026-01';
const hashScheme: HashScheme = 'sha256-plain-v1';
const fileHash = '0f'.repeat(32) as Digest;
const [older, newer, before, between] = ['1', '2', '3', '4'].map(
  (end) => `01ARZ3NDEKTSV4RRFFQ69G5FA${end}`,
) as [ProofId, ProofId, ProofId, ProofId];
const [known, unknown, previous] = ['A1', 'B2', 'C3'].map((byte) => byte.repeat(32)) as [
  string,
  string,
  string,
];
const transactions = [unknown, previous].map((hash) => {
  return { hash, blob: '12', metadata: '201C00000000F8E5110061031000' };
});
const ledger = { index: 50, hash: 'DD'.repeat(32), closeTime: 800_000_000, transactions };
const absent = { found: 'absent', searchedAll: true } as const;
const signed: AnchorPrepared['data'] = {
  ...{ ledgerId, account, hashScheme, transactionHash: known, previousTransactionHash: null },
  ...{ blob: '12', sequence: 7, feeDrops: 10, replaces: null },
  ...{ minLedger: 40, lastLedgerSequence: 48 },
};
const prepared: ProofEvent = { type: 'AnchorPrepared', data: signed };

/** Recovers one unknown transaction in a log of proofs of the same file, the oldest first. */
async function recovering(
  lookUp: (hash: string) => TransactionLookup | undefined = () => absent,
  { isWhole = false, scheme = hashScheme }: { isWhole?: boolean; scheme?: HashScheme } = {},
) {
  const commitmentOf = (proofId: ProofId) =>
    isSalted(scheme) ? commit(Buffer.from(proofId).toString('hex'), fileHash) : null;
  let seconds = 0;
  const now = () => {
    seconds += 1;
    return new Date(seconds * 1_000);
  };
  const store = createMemoryEventStore({ now });
  await store.createKeys(organisationId);
  const request = async (
    proofId: ProofId,
    events: readonly ProofEvent[] = [],
    document: ProvenDocument | null = null,
    file: Digest = fileHash,
  ) => {
    const data = {
      ...{ proofId, organisationId, workspaceId, hashScheme: scheme },
      commitment: commitmentOf(proofId),
      ...({ network: 'testnet', fileHash: file, nonce: null } as const),
      ...{ fileName: 'a.pdf', fileSizeBytes: 1, mimeType: null, description: null },
      ...{ metadata: null, document, recordsDelivery: false },
    };
    const all: readonly ProofEvent[] = [{ type: 'ProofRequested', data }, ...events];
    const stream = streams.proof(proofId);
    await store.append([{ organisationId, stream, expectedVersion: 0, events: all }], {});
  };
  const recover = async (names: string | null = null) => {
    const { backlog } = await foldAnchoring({ store, db: emptyReadModels }, 'testnet');
    const gateway = {
      network: 'testnet',
      ledger: async (index: number) => (index === 50 || isWhole ? { ...ledger, index } : null),
      lookUp: async (hash: string) => lookUp(hash),
    } as never;
    const sent = {
      ...{ hash: unknown, blob: '12', ledgerIndex: 50, engineResult: 'tesSUCCESS' },
      ...{ sequence: 9, feeDrops: 10, lastLedgerSequence: 56 },
      memos: [
        proofMemo({
          fileHash: commitmentOf(newer) ?? fileHash,
          hashScheme: scheme,
          previous: names,
        }),
      ],
    };
    const deps = { store, gateway, meta: {}, ledgerId };
    return recoverProof(deps, new OpenCommitments(backlog), sent, account);
  };
  const eventsOf = async (proofId: ProofId) => {
    const events = await store.readStream(streams.proof(proofId));
    return events.slice(1).map(({ type, data }) => ({ type, data }));
  };
  /** Documents whose units were returned. */
  const returned = async () => {
    const events = await store.readStream(streams.allowance(organisationId, unitMonth));
    return events.map(({ type, data }) => type === 'UnitReturned' && data.documentId);
  };
  return { request, recover, eventsOf, returned };
}

const recorded = [
  { type: 'AnchorPrepared', data: { transactionHash: unknown } },
  { type: 'Anchored', data: { transactionHash: unknown } },
];

/** Events of a proof that the log knows as anchored by the transaction `previous`. */
const anchored: readonly ProofEvent[] = [
  { type: 'AnchorPrepared', data: { ...signed, transactionHash: previous } },
  {
    type: 'Anchored',
    data: {
      ...{ ledgerId, transactionHash: previous, ledgerIndex: 50, ledgerHash: ledger.hash },
      ...{ closeTime: 1, closeTimeIso: '', transactionIndex: 0, metadata: '', ledgerHeader: '' },
    },
  },
];
const otherFile = '0e'.repeat(32) as Digest;
const salted: HashScheme = 'hmac-sha256-nonce-v3';
const queued: ProofEvent = { type: 'ProofQueued', data: { reason: 'document' } };
const givenUp = { type: 'AnchorRefused', data: { reason: 'givenUp' } };

function revision(document: string, previousProofId: ProofId | null): ProvenDocument {
  const [rootDocumentId, documentId] = [before, document] as string[] as [DocumentId, DocumentId];
  return { rootDocumentId, documentId, previousProofId, unitMonth };
}

function validated(result: string): TransactionLookup {
  const { index: ledgerIndex, hash: ledgerHash, closeTime } = ledger;
  return { found: 'validated', ledgerIndex, ledgerHash, closeTime, result, account, memos: [] };
}

test('a revision gets its transaction though an older proof has the same hash', async (t) => {
  const { request, recover, eventsOf } = await recovering();
  await request(before, anchored);
  await request(older);
  await request(newer, [], revision(newer, before));
  t.ok(await recover(previous));
  t.match(await eventsOf(newer), recorded);
  t.strictSame(await eventsOf(older), []);
});

test('a proof that a known transaction has anchored gets no other one', async (t) => {
  const { request, recover, eventsOf } = await recovering((hash) =>
    hash === known ? validated('tesSUCCESS') : undefined,
  );
  await request(older, [prepared]);
  await request(newer);
  t.ok(await recover());
  t.strictSame(await eventsOf(older), [prepared], 'anchoring records the outcome later');
  t.match(await eventsOf(newer), recorded);
});

test('a known transaction that failed on the ledger is recorded as failed', async (t) => {
  const { request, recover, eventsOf } = await recovering(() => validated('tecNO_PERMISSION'));
  await request(older, [prepared]);
  t.ok(await recover());
  const failed = { transactionHash: known, reason: 'failed', engineResult: 'tecNO_PERMISSION' };
  t.match(await eventsOf(older), [prepared, { type: 'AnchorExpired', data: failed }, ...recorded]);
});

test('nothing is recorded while no server shows the ledgers of a known transaction', async (t) => {
  const tooShort = [{ found: 'absent', searchedAll: false }, { found: 'unvalidated' }] as const;
  for (const found of tooShort) {
    const { request, recover, eventsOf } = await recovering(() => found);
    await request(older, [prepared]);
    await t.rejects(
      recover(),
      /no server of testnet shows ledger 41, which may contain.*more history/,
    );
    t.strictSame(await eventsOf(older), [prepared]);
  }
});

test('a known transaction that no ledger holds is recorded as absent', async (t) => {
  // A server may remember a transaction that expired.
  const { request, recover, eventsOf } = await recovering(() => ({ found: 'unvalidated' }), {
    isWhole: true,
  });
  await request(older, [prepared]);
  t.ok(await recover());
  const gone = { transactionHash: known, reason: 'absent', engineResult: null };
  t.match(await eventsOf(older), [prepared, { type: 'AnchorExpired', data: gone }, ...recorded]);
});

test('a memo that passes over open revisions shows that they had been given up', async (t) => {
  const { request, recover, eventsOf, returned } = await recovering(undefined, { scheme: salted });
  await request(before, anchored);
  await request(between, [queued], revision(between, before));
  await request(older, [queued, prepared], revision(older, between));
  await request(newer, [queued], revision(newer, older));
  t.ok(await recover(previous));
  t.strictSame(await eventsOf(between), [queued, givenUp]);
  const gone = { transactionHash: known, reason: 'absent', engineResult: null };
  t.strictSame(await eventsOf(older), [
    queued,
    prepared,
    { type: 'AnchorExpired', data: gone },
    givenUp,
  ]);
  t.match(await eventsOf(newer), [queued, ...recorded]);
  t.strictSame(await returned(), [older, between], 'both units are returned');
});

test('a revision whose transaction is on the ledger was not given up', async (t) => {
  const { request, recover, eventsOf } = await recovering(() => validated('tesSUCCESS'), {
    scheme: salted,
  });
  await request(before, anchored);
  await request(between, [queued, prepared], revision(between, before));
  await request(newer, [queued], revision(newer, between));
  t.notOk(await recover(previous));
  t.strictSame(await eventsOf(between), [queued, prepared]);
  t.strictSame(await eventsOf(newer), [queued]);
});

test('a memo that names nothing shows that all before were given up, if it is salted', async (t) => {
  for (const scheme of hashSchemes) {
    const { request, recover, eventsOf } = await recovering(undefined, { scheme });
    await request(before, [queued], revision(before, null), otherFile);
    await request(newer, [queued], revision(newer, before));
    t.ok(await recover(null));
    t.strictSame(await eventsOf(before), isSalted(scheme) ? [queued, givenUp] : [queued], scheme);
    t.match(await eventsOf(newer), [queued, ...recorded], scheme);
  }
});

test('without a salt, no revision is given up for a transaction of the same file', async (t) => {
  const { request, recover, eventsOf } = await recovering();
  await request(before, anchored, null, otherFile);
  await request(between, [queued], revision(between, before), otherFile);
  await request(newer, [queued], revision(newer, between));
  t.notOk(await recover(previous));
  t.strictSame(await eventsOf(between), [queued]);
});

test('a passed-over transaction that failed on the ledger is recorded as failed', async (t) => {
  const { request, recover, eventsOf } = await recovering(() => validated('tecNO_PERMISSION'), {
    scheme: salted,
  });
  await request(before, anchored);
  await request(between, [queued, prepared], revision(between, before));
  await request(newer, [queued], revision(newer, between));
  t.ok(await recover(previous));
  const failed = { transactionHash: known, reason: 'failed', engineResult: 'tecNO_PERMISSION' };
  t.strictSame(await eventsOf(between), [
    queued,
    prepared,
    { type: 'AnchorExpired', data: failed },
    givenUp,
  ]);
});

test('a revision that is not queued, or signed on another ledger, is not given up', async (t) => {
  const elsewhere: ProofEvent = { type: 'AnchorPrepared', data: { ...signed, ledgerId: '0' } };
  for (const open of [[], [queued, elsewhere]]) {
    const { request, recover, eventsOf } = await recovering(undefined, { scheme: salted });
    await request(before, anchored);
    await request(between, open, revision(between, before));
    await request(newer, [queued], revision(newer, between));
    t.notOk(await recover(previous));
    t.strictSame(await eventsOf(between), open);
  }
});

test('a memo may name a known transaction whose outcome is lost', async (t) => {
  const { request, recover, eventsOf } = await recovering(undefined, { scheme: salted });
  await request(between, [queued, prepared], revision(between, null));
  await request(newer, [queued], revision(newer, between));
  t.ok(await recover(known));
  t.strictSame(await eventsOf(between), [queued, prepared]);
});

test('ledgers of earlier revisions are asked for only if the memo may be of the proof', async (t) => {
  const { request, recover } = await recovering(() => ({ found: 'absent', searchedAll: false }), {
    scheme: salted,
  });
  await request(before, anchored);
  await request(between, [queued, prepared], revision(between, before));
  await request(newer, [queued], revision(newer, between));
  t.notOk(await recover('EE'.repeat(32)), 'the history of the server is not needed');
});
