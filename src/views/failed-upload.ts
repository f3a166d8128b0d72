import type { DocumentRecord } from '../../projections/documents/record.ts';
import { documentDecider } from '../domain/document/decider.ts';
import { revisionsOf } from '../domain/document/state.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { isVisible } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { fold } from '../event-store/handling/load.ts';
import { type Failure, failureOf } from './failure.ts';

interface FailedUpload {
  readonly record: DocumentRecord;
  readonly failure: Failure;
}

/**
 * Returns a document whose proof was given up, and which is no longer listed. The record has no
 * transaction. Null if the document does not exist or can no longer be read.
 */
export async function readFailedUpload(
  store: Pick<EventStore, 'readStream'>,
  rootDocumentId: DocumentId,
  documentId: DocumentId,
): Promise<FailedUpload | null> {
  const chain = await store.readStream(streams.document(rootDocumentId));
  if (chain.some(({ erased }) => erased)) return null;
  const document = fold(chain, documentDecider).state;
  if (document.status === 'unknown') return null;
  const revision = revisionsOf(document).find((one) => one.documentId === documentId);
  if (revision === undefined) return null;
  const events = await store.readStream(streams.proof(revision.proofId));
  const proof = fold(events, proofDecider).state;
  if (proof.status === 'unknown' || isVisible(proof)) return null;
  const { proofId, network, hashScheme, commitment, requestedAt, metadata } = proof.request;
  const { workspaceId, fileHash, fileName, fileSizeBytes, mimeType, description } = revision;
  const record: DocumentRecord = {
    ...{ proofId, network, hashScheme, commitment, requestedAt, blockchainStatus: 'pending' },
    ...{ workspaceId, fileHash, fileName, fileSizeBytes, mimeType, description, metadata },
    ...{
      transactionHash: null,
      ledgerId: null,
      ledgerIndex: null,
      closedAt: null,
      isAttested: false,
    },
    document: {
      documentId,
      rootDocumentId,
      revision: revision.revision,
      previousDocumentId: revision.previousDocumentId,
      previousTransactionHash: null,
      classification: null,
      uploadedAt: revision.storedAt,
      blobKey: revision.blobKey,
    },
  };
  return { record, failure: failureOf(proof.status) };
}
