import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { BlobKey } from '../../src/domain/blob/blob-key.ts';
import type { Classification } from '../../src/domain/document/classification.ts';
import type { DocumentStored } from '../../src/domain/document/events.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { ProofRequested } from '../../src/domain/proof/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';

export interface ArchivedProof {
  readonly proofId: ProofId;
  readonly workspaceId: WorkspaceId;
  readonly fileHash: Digest;
  readonly documentId: DocumentId | null;
  readonly rootDocumentId: DocumentId | null;
  readonly blobKey: BlobKey | null;
}

export interface ArchivedFile {
  readonly workspaceId?: WorkspaceId;
  readonly fileHash?: Digest;
  readonly fileName?: string | null;
  readonly description?: string | null;
  readonly classification?: Classification | null;
}

export interface ArchivedLedger {
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
}

export interface Archive {
  readonly organisationId: OrganisationId;
  readonly workspaceId: WorkspaceId;
  /** Requests a proof of a hash without a file. */
  request(file?: ArchivedFile): Promise<ArchivedProof>;
  /** Stores a first upload; with `of`, a file whose hash was already proven. */
  upload(file?: ArchivedFile & { readonly of?: ArchivedProof }): Promise<ArchivedProof>;
  revise(previous: ArchivedProof, file?: ArchivedFile): Promise<ArchivedProof>;
  prepare(proof: ArchivedProof, previousTransactionHash?: string | null): Promise<string>;
  /** By default in a ledger of its own. */
  anchor(proof: ArchivedProof, transactionHash: string, ledger?: ArchivedLedger): Promise<void>;
  /** Prepares and anchors the proof; resolves with the hash of the transaction. */
  complete(proof: ArchivedProof, previousTransactionHash?: string | null): Promise<string>;
  expire(proof: ArchivedProof, transactionHash: string): Promise<void>;
  withdraw(proof: ArchivedProof): Promise<void>;
  refuse(proof: ArchivedProof): Promise<void>;
}

export const archiveLedger = { ledgerId: '1-test', closedAt: '2026-02-03T04:05:06Z' } as const;

/** Writes the history of one organisation's proofs and documents as events, without commands. */
export async function createArchive(store: EventStore): Promise<Archive> {
  const organisationId = ulid() as OrganisationId;
  const workspaceId = ulid() as WorkspaceId;
  await store.createKeys(organisationId);
  const versions = new Map<string, number>();
  const revisions = new Map<DocumentId, number>();
  let ledgerIndex = 100;

  const append = async (...entries: readonly [string, readonly DomainEvent[]][]) => {
    await store.append(
      entries.map(([stream, events]) => {
        const expectedVersion = versions.get(stream) ?? 0;
        versions.set(stream, expectedVersion + events.length);
        return { organisationId, stream, expectedVersion, events };
      }),
      {},
    );
  };
  const happen = ({ proofId }: ArchivedProof, event: DomainEvent) =>
    append([streams.proof(proofId), [event]]);
  const requested = (
    file: ArchivedFile,
    proofId: ProofId,
    document: ProofRequested['data']['document'],
  ): ProofRequested => ({
    type: 'ProofRequested',
    data: {
      ...{ proofId, organisationId, workspaceId: file.workspaceId ?? workspaceId },
      ...{ network: 'testnet', hashScheme: 'hmac-sha256-nonce-v3' },
      ...{ commitment: 'c0'.repeat(32), nonce: 'secret nonce', recordsDelivery: true },
      fileHash: file.fileHash ?? digestOf(ulid()),
      ...{ fileName: file.fileName ?? null, description: file.description ?? null },
      ...{ fileSizeBytes: 12, mimeType: 'text/plain', metadata: null, document },
    },
  });
  const stored = (request: ProofRequested, file: ArchivedFile, documentId: DocumentId) => ({
    ...{ documentId, organisationId, workspaceId: request.data.workspaceId },
    ...{ proofId: request.data.proofId, blobKey: `${organisationId}/${ulid()}` as BlobKey },
    ...{ fileHash: request.data.fileHash, fileName: file.fileName ?? 'unnamed' },
    ...{ fileSizeBytes: 34, mimeType: 'application/pdf', description: file.description ?? null },
    ...{ classification: file.classification ?? null, unitMonth: '2026-02' },
  });
  const archived = (
    { data: { proofId, workspaceId, fileHash } }: ProofRequested,
    document: DocumentStored['data'] | null = null,
    rootDocumentId = document?.documentId ?? null,
  ): ArchivedProof => {
    const { documentId = null, blobKey = null } = document ?? {};
    return { proofId, workspaceId, fileHash, documentId, rootDocumentId, blobKey };
  };

  const archive: Archive = {
    organisationId,
    workspaceId,
    async request(file = {}) {
      const request = requested(file, ulid() as ProofId, null);
      await append([streams.proof(request.data.proofId), [request]]);
      return archived(request);
    },
    async upload({ of, ...file } = {}) {
      const documentId = ulid() as DocumentId;
      const proven = { rootDocumentId: documentId, documentId, previousProofId: null };
      const proofId = of?.proofId ?? (ulid() as ProofId);
      const request = requested({ ...file, ...of }, proofId, { ...proven, unitMonth: null });
      const data = stored(request, file, documentId);
      const entry = [streams.document(documentId), [{ type: 'DocumentStored', data }]] as const;
      if (of) await append([entry[0], entry[1]]);
      else await append([streams.proof(proofId), [request]], [entry[0], entry[1]]);
      return archived(request, data);
    },
    async revise(previous, file = {}) {
      const { rootDocumentId, documentId: previousDocumentId } = previous;
      if (!rootDocumentId || !previousDocumentId) throw new Error('a document is revised');
      const documentId = ulid() as DocumentId;
      const revision = (revisions.get(rootDocumentId) ?? 1) + 1;
      revisions.set(rootDocumentId, revision);
      const proven = { rootDocumentId, documentId, previousProofId: previous.proofId };
      const placed = { workspaceId: previous.workspaceId, ...file };
      const request = requested(placed, ulid() as ProofId, { ...proven, unitMonth: null });
      const data = {
        ...stored(request, file, documentId),
        ...{ rootDocumentId, previousDocumentId, revision },
      };
      await append(
        [streams.proof(request.data.proofId), [request]],
        [streams.document(rootDocumentId), [{ type: 'RevisionChained', data }]],
      );
      return archived(request, data, rootDocumentId);
    },
    async prepare(proof, previousTransactionHash = null) {
      const transactionHash = digestOf(ulid()).toUpperCase();
      const data = {
        ...{ ledgerId: archiveLedger.ledgerId, transactionHash, previousTransactionHash },
        ...{ blob: '12', hashScheme: 'hmac-sha256-nonce-v3' as const, account: 'rA', sequence: 1 },
        ...{ feeDrops: 10, minLedger: 1, lastLedgerSequence: 9, replaces: null },
      };
      await happen(proof, { type: 'AnchorPrepared', data });
      return transactionHash;
    },
    async anchor(proof, transactionHash, ledger) {
      ledgerIndex += 1;
      const data = {
        ...{ ledgerId: archiveLedger.ledgerId, transactionHash },
        ...(ledger ?? { ledgerIndex, ledgerHash: 'BB' }),
        ...{ closeTime: 1, closeTimeIso: archiveLedger.closedAt, transactionIndex: 0 },
        ...{ metadata: '', ledgerHeader: '' },
      };
      await happen(proof, { type: 'Anchored', data });
    },
    async complete(proof, previousTransactionHash) {
      const transactionHash = await archive.prepare(proof, previousTransactionHash);
      await archive.anchor(proof, transactionHash);
      return transactionHash;
    },
    expire: (proof, transactionHash) =>
      happen(proof, {
        type: 'AnchorExpired',
        data: { transactionHash, reason: 'absent', engineResult: null },
      }),
    withdraw: (proof) => happen(proof, { type: 'ProofWithdrawn', data: { reason: 'waitEnded' } }),
    refuse: (proof) => happen(proof, { type: 'AnchorRefused', data: { reason: 'givenUp' } }),
  };
  return archive;
}

export function digestOf(text: string): Digest {
  return createHash('sha256').update(text).digest('hex') as Digest;
}
