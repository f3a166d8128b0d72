import { documentDecider } from '../domain/document/decider.ts';
import {
  checkOwnBlob,
  proofTerms,
  receivedFile,
  type StoredUpload,
  type Upload,
} from '../domain/document/upload.ts';
import { hashDecider } from '../domain/hash/decider.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { StreamAppend } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { load } from '../event-store/handling/load.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { hashStream } from '../loading/hash-stream.ts';
import { latestVisibleRevision } from '../loading/latest-visible-revision.ts';
import { loadChain } from '../loading/load-chain.ts';
import { noSuchDocument } from '../loading/no-such-document.ts';
import { uploadEntries } from '../loading/upload-entries.ts';
import type { UploadDeps } from './store-document.ts';

interface RevisionOrder extends Upload {
  /** First upload of the chain, whose id names the stream. */
  readonly rootDocumentId: DocumentId;
}

/**
 * Chains an upload to the latest revision of a document, with a queued proof and at the cost of a
 * unit. Bytes equal to that revision's change nothing. Concurrent revisions are chained one after
 * the other. Without a classification the upload inherits that of the latest revision.
 *
 * Refuses with PROOF_NOT_FOUND (no such document of the organisation, or no visible revision), with
 * INVALID_REQUEST after `maxRevisions` revisions, and with `AllowanceExceeded`; rejects with
 * `BlobTooOld`. No event names the blob then, and the caller deletes it. After an append of unknown
 * outcome an event may name the blob, so it is left to the sweep.
 */
export async function chainRevision(
  deps: UploadDeps,
  order: RevisionOrder,
  meta: EventMeta,
): Promise<StoredUpload> {
  checkOwnBlob(order);
  const inTurn = () => handleStreams(deps.store, () => decide(deps, order), meta);
  return (await deps.turns.take(order.organisationId, inTurn)).stored;
}

/** The revision that the entries chain, or that exists already. */
interface DecidedRevision {
  readonly entries: readonly StreamAppend[];
  readonly stored: StoredUpload;
}

async function decide(deps: UploadDeps, order: RevisionOrder): Promise<DecidedRevision> {
  const { store } = deps;
  const { rootDocumentId } = order;
  const { chain, version, limit } = await loadChain(store, order);
  const latest = await latestVisibleRevision(store, chain);
  if (latest === null) throw noSuchDocument();
  const { revision: previous, proof } = latest;
  if (previous.fileHash === order.fileHash) {
    const { documentId, proofId } = previous;
    const found = { created: false, alreadyProven: true, state: proof, blobNamed: false } as const;
    return { entries: [], stored: { documentId, rootDocumentId, proofId, ...found } };
  }
  const documentId = deps.newId() as DocumentId;
  const terms = proofTerms(deps, order);
  const { proofId, unitMonth: month } = terms;
  const hashName = await hashStream(store, { ...order, workspaceId: chain.workspaceId });
  const hash = await load(store, hashName, hashDecider);
  const decision = documentDecider.addRevision(
    chain,
    previous,
    receivedFile(order),
    documentId,
    terms,
    hash.state,
  );
  const target = {
    documentId,
    document: { stream: streams.document(rootDocumentId), version },
    proof: { stream: streams.proof(proofId), version: 0 },
    hash: { stream: hashName, version: hash.version },
    unit: { month, limit },
  };
  const entries = await uploadEntries(deps, order, decision, target);
  const made = { created: true, alreadyProven: false, state: null, blobNamed: true } as const;
  return { entries, stored: { documentId, rootDocumentId, proofId, ...made } };
}
