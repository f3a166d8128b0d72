import { documentDecider } from '../domain/document/decider.ts';
import {
  checkOwnBlob,
  proofTerms,
  receivedFile,
  type StoredUpload,
  type Upload,
} from '../domain/document/upload.ts';
import type { HashEvent } from '../domain/hash/events.ts';
import type { ClaimedHash } from '../domain/hash/state.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { isVisible } from '../domain/proof/state.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId, WorkspaceId } from '../domain/ulid.ts';
import { type Loaded, load } from '../event-store/handling/load.ts';
import { retryInTurn, retryOnConflict } from '../event-store/handling/retry-on-conflict.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { hashStream } from '../loading/hash-stream.ts';
import { loadUploadTarget } from '../loading/load-upload-target.ts';
import { appendUpload, type UploadDeps } from './append-upload.ts';

export interface DocumentOrder extends Upload {
  readonly workspaceId: WorkspaceId;
}

/**
 * Creates a document from an upload, with a queued proof and at the cost of a unit. If the hash
 * alone was posted before, the document gets that proof and costs nothing. If the bytes are already
 * stored in the workspace, nothing changes. Of any number of concurrent uploads of the same bytes,
 * one creates the document.
 *
 * Refuses with INVALID_WORKSPACE and `AllowanceExceeded`; rejects with `BlobTooOld`. No event names
 * the blob then, and the caller deletes it. After an append of unknown outcome an event may name
 * the blob, so it is left to the sweep.
 */
export async function storeDocument(
  deps: UploadDeps,
  order: DocumentOrder,
  meta: EventMeta,
): Promise<StoredUpload> {
  checkOwnBlob(order);
  const stream = await hashStream(deps.store, order);
  // Uploads that cost no unit do not wait for a turn.
  const known = await retryOnConflict(() => joinOrLink(deps, order, stream, meta));
  if ('proofId' in known) return known;
  return retryInTurn(deps.turns, order.organisationId, async () => {
    const now = await joinOrLink(deps, order, stream, meta);
    return 'proofId' in now ? now : create(deps, order, now, meta);
  });
}

/** A free hash in its workspace, and the organisation. */
interface FreeTarget {
  readonly stream: StreamName<HashEvent>;
  readonly version: number;
  readonly organisation: Organisation;
}

async function joinOrLink(
  deps: UploadDeps,
  order: DocumentOrder,
  stream: StreamName<HashEvent>,
  meta: EventMeta,
): Promise<StoredUpload | FreeTarget> {
  for (;;) {
    const { hash, organisation } = await loadUploadTarget(deps.store, order, stream);
    if (hash.state.status === 'free') return { stream, version: hash.version, organisation };
    const found = await joinOrLinkProof(deps, order, { ...hash, state: hash.state, stream }, meta);
    // Null: the proof was rolled back meanwhile, which released the hash.
    if (found !== null) return found;
  }
}

/** Returns null if callers can no longer see the proof of the hash. */
async function joinOrLinkProof(
  deps: UploadDeps,
  order: DocumentOrder,
  hash: Loaded<ClaimedHash> & { readonly stream: StreamName<HashEvent> },
  meta: EventMeta,
): Promise<StoredUpload | null> {
  const { document: stored } = hash.state;
  const { proofId } = stored ?? hash.state;
  const stream = streams.proof(proofId);
  const { state, version } = await load(deps.store, stream, proofDecider);
  if (!isVisible(state)) return null;
  const found = { proofId, alreadyProven: true, state } as const;
  if (stored !== null) {
    const { documentId } = stored;
    const rootDocumentId = state.request.document?.rootDocumentId ?? documentId;
    return { ...found, documentId, rootDocumentId, created: false, blobNamed: false };
  }
  const documentId = deps.newId() as DocumentId;
  const ids = { documentId, workspaceId: order.workspaceId };
  const decision = documentDecider.link(receivedFile(order), ids, state);
  const target = {
    documentId,
    document: { stream: streams.document(documentId), version: 0 },
    proof: { stream, version },
    hash,
    unit: null,
  };
  await appendUpload(deps, order, decision, target, meta);
  return { ...found, documentId, rootDocumentId: documentId, created: true, blobNamed: true };
}

async function create(
  deps: UploadDeps,
  order: DocumentOrder,
  { stream, version, organisation }: FreeTarget,
  meta: EventMeta,
): Promise<StoredUpload> {
  const { workspaceId } = order;
  const documentId = deps.newId() as DocumentId;
  const terms = proofTerms(deps, order);
  const { proofId, unitMonth: month } = terms;
  const decision = documentDecider.store(receivedFile(order), { documentId, workspaceId }, terms);
  const target = {
    documentId,
    document: { stream: streams.document(documentId), version: 0 },
    proof: { stream: streams.proof(proofId), version: 0 },
    hash: { stream, version },
    unit: { month, limit: organisation.uploadAllowance },
  };
  await appendUpload(deps, order, decision, target, meta);
  const made = { created: true, alreadyProven: false, state: null, blobNamed: true } as const;
  return { documentId, rootDocumentId: documentId, proofId, ...made };
}
