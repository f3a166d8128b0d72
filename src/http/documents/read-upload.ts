import type { DocumentRecord, ListedDocument } from '../../../projections/documents/record.ts';
import { documentDecider } from '../../domain/document/decider.ts';
import { type Revision, revisionsOf } from '../../domain/document/state.ts';
import type { StoredUpload } from '../../domain/document/upload.ts';
import type { VisibleProof } from '../../domain/proof/state.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { load } from '../../event-store/handling/load.ts';
import { latestVisibleRevision } from '../../loading/latest-visible-revision.ts';

/**
 * Returns the document of an upload from the log, with the state of its proof. Gives the same
 * record as the projection, without waiting for it. Its attestation is left to the caller.
 */
export async function readUpload(
  { store }: { readonly store: EventStore },
  { documentId, rootDocumentId }: Pick<StoredUpload, 'documentId' | 'rootDocumentId'>,
  state: VisibleProof,
): Promise<Omit<DocumentRecord, 'isAttested'>> {
  const stream = streams.document(rootDocumentId);
  const { state: chain } = await load(store, stream, documentDecider);
  const revision =
    chain.status === 'stored'
      ? revisionsOf(chain).find((each) => each.documentId === documentId)
      : undefined;
  if (chain.status !== 'stored' || revision === undefined) {
    throw new Error(`document ${documentId} is not in its chain ${rootDocumentId}`);
  }
  const { before } = revision;
  const previous = before && (await latestVisibleRevision(store, { ...chain, latest: before }));
  const named = state.status === 'pending' ? null : state.prepared.previousTransactionHash;
  const anchored = previous?.proof.status === 'completed' ? previous.proof.anchor : null;
  return {
    ...proofFacts(state),
    ...fileFacts(revision),
    document: {
      ...documentFacts(revision),
      rootDocumentId,
      previousDocumentId: previous?.revision.documentId ?? null,
      previousTransactionHash: named ?? anchored?.transactionHash ?? null,
    },
  };
}

function proofFacts(state: VisibleProof) {
  const { proofId, network, hashScheme, commitment, requestedAt, metadata } = state.request;
  const anchor = state.status === 'completed' ? state.anchor : null;
  return {
    proofId,
    network,
    hashScheme,
    commitment,
    requestedAt,
    metadata,
    blockchainStatus: state.status,
    transactionHash: state.status === 'pending' ? null : state.prepared.transactionHash,
    ledgerId: state.status === 'pending' ? null : state.prepared.ledgerId,
    ledgerIndex: anchor?.ledgerIndex ?? null,
    closedAt: anchor?.closeTimeIso ?? null,
  };
}

function fileFacts(revision: Revision) {
  const { workspaceId, fileHash, fileName, fileSizeBytes, mimeType, description } = revision;
  return { workspaceId, fileHash, fileName, fileSizeBytes, mimeType, description };
}

function documentFacts({ documentId, revision, classification, storedAt, blobKey }: Revision) {
  return {
    documentId,
    revision,
    classification,
    uploadedAt: storedAt,
    blobKey,
  } satisfies Partial<ListedDocument>;
}
