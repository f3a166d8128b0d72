import { test } from 'tap';
import { foldAnchoring } from '../../../src/anchoring-state/read-anchoring.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type {
  AnchorPrepared,
  ProofEvent,
  ProvenDocument,
} from '../../../src/domain/proof/events.ts';
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
const hashScheme = 'sha256-plain-v1';
const fileHash = '0f'.repeat(32) as Digest;
const [older, newer, before] = ['1', '2', '3'].map((end) => `01ARZ3NDEKTSV4RRFFQ69G5FA${end}`) as [
  ProofId,
  ProofId,
  ProofId,
];
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
  isWhole = false,
) {
  let seconds = 0;
  const now = () => {
    seconds += 1;
    return new Date(seconds * 1_000);
  };
  const store = createMemoryEventStore({ now });
  const request = async (
    proofId: ProofId,
    events: readonly ProofEvent[] = [],
    document: ProvenDocument | null = null,
  ) => {
    const data = {
      ...{ proofId, organisationId, workspaceId: '01BX5ZZKBKACTAV9WEVGEMMVS0' as WorkspaceId },
      ...({ network: 'testnet', hashScheme, fileHash, nonce: null, commitment: null } as const),
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
      memos: [proofMemo({ fileHash, hashScheme, previous: names })],
    };
    const deps = { store, gateway, meta: {}, ledgerId };
    return recoverProof(deps, new OpenCommitments(backlog), sent, account);
  };
  const eventsOf = async (proofId: ProofId) => {
    const events = await store.readStream(streams.proof(proofId));
    return events.slice(1).map(({ type, data }) => ({ type, data }));
  };
  return { request, recover, eventsOf };
}

const recorded = [
  { type: 'AnchorPrepared', data: { transactionHash: unknown } },
  { type: 'Anchored', data: { transactionHash: unknown } },
];

function validated(result: string): TransactionLookup {
  const { index: ledgerIndex, hash: ledgerHash, closeTime } = ledger;
  return { found: 'validated', ledgerIndex, ledgerHash, closeTime, result, account, memos: [] };
}

test('a revision gets its transaction though an older proof has the same hash', async (t) => {
  const { request, recover, eventsOf } = await recovering();
  const anchored: ProofEvent = {
    type: 'Anchored',
    data: {
      ...{ ledgerId, transactionHash: previous, ledgerIndex: 50, ledgerHash: ledger.hash },
      ...{ closeTime: 1, closeTimeIso: '', transactionIndex: 0, metadata: '', ledgerHeader: '' },
    },
  };
  const data = { ...signed, transactionHash: previous };
  await request(before, [{ type: 'AnchorPrepared', data }, anchored]);
  await request(older);
  const [rootDocumentId, documentId] = [before, newer] as string[] as [DocumentId, DocumentId];
  await request(newer, [], {
    rootDocumentId,
    documentId,
    previousProofId: before,
    unitMonth: null,
  });
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
  const { request, recover, eventsOf } = await recovering(() => ({ found: 'unvalidated' }), true);
  await request(older, [prepared]);
  t.ok(await recover());
  const gone = { transactionHash: known, reason: 'absent', engineResult: null };
  t.match(await eventsOf(older), [prepared, { type: 'AnchorExpired', data: gone }, ...recorded]);
});
