import { chainRevision as decideChain } from '../domain/document/decide.ts';
import { hashDecider } from '../domain/hash/decider.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { appendUpload } from './append-upload.ts';
import { hashStream } from './hash-stream.ts';
import { latestVisibleRevision } from './latest-visible-revision.ts';
import { load } from './load.ts';
import { loadChain, noSuchDocument } from './load-chain.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { takenUnitEntry } from './unit-entry.ts';
import {
  checkOwnBlob,
  proofTerms,
  receivedFile,
  type StoredUpload,
  type Upload,
  type UploadDeps,
} from './upload.ts';

export interface RevisionOrder extends Upload {
  /** The first upload of the chain, whose name the stream bears. */
  readonly rootDocumentId: DocumentId;
}

/**
 * Chains an upload to the latest revision of a document, with a queued proof and at the cost of a
 * unit; bytes equal to that revision's are left as they are. Concurrent revisions are chained one
 * after the other. Without a classification it inherits that of the latest revision.
 *
 * Refuses with PROOF_NOT_FOUND (no such document of the organisation, or nothing of it is left) and
 * `AllowanceExceeded`; rejects with `BlobTooOld`. No event names the blob then, and the caller
 * deletes it. After an append of unknown outcome one may: the blob is left to the sweep.
 */
export async function chainRevision(
  deps: UploadDeps,
  order: RevisionOrder,
  meta: EventMeta,
): Promise<StoredUpload> {
  checkOwnBlob(order);
  return deps.turns.take(order.organisationId, () =>
    retryOnConflict(() => attempt(deps, order, meta)),
  );
}

async function attempt(
  deps: UploadDeps,
  order: RevisionOrder,
  meta: EventMeta,
): Promise<StoredUpload> {
  const { store } = deps;
  const { organisationId, rootDocumentId } = order;
  const { chain, version, limit } = await loadChain(store, order);
  const latest = await latestVisibleRevision(store, chain);
  if (latest === null) throw noSuchDocument();
  const { revision: previous, proof } = latest;
  if (previous.fileHash === order.fileHash) {
    const { documentId, proofId } = previous;
    const found = { created: false, alreadyProven: true, state: proof, blobNamed: false } as const;
    return { documentId, rootDocumentId, proofId, ...found };
  }
  const documentId = deps.newId() as DocumentId;
  const terms = proofTerms(deps, order);
  const { proofId, unitMonth } = terms;
  const month = { organisationId, month: unitMonth };
  const hashName = await hashStream(store, { ...order, workspaceId: chain.workspaceId });
  const [unit, hash] = await Promise.all([
    takenUnitEntry(store, month, limit, documentId),
    load(store, hashName, hashDecider),
  ]);
  const decision = decideChain(chain, previous, receivedFile(order), documentId, terms, hash.state);
  await appendUpload(deps, order, decision, {
    document: { stream: streams.document(rootDocumentId), version },
    proof: { stream: streams.proof(proofId), version: 0 },
    hash: { stream: hashName, version: hash.version },
    unit,
    meta,
  });
  const made = { created: true, alreadyProven: false, state: null, blobNamed: true } as const;
  return { documentId, rootDocumentId, proofId, ...made };
}
