import { storeDocument as decideStore, linkDocument } from '../domain/document/decide.ts';
import type { HashEvent } from '../domain/hash/events.ts';
import type { ClaimedHash } from '../domain/hash/state.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { isVisible } from '../domain/proof/state.ts';
import type { StreamName } from '../domain/stream-name.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId, WorkspaceId } from '../domain/ulid.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { appendUpload } from './append-upload.ts';
import { hashStream } from './hash-stream.ts';
import { type Loaded, load } from './load.ts';
import { loadPlace } from './load-place.ts';
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

export interface DocumentOrder extends Upload {
  readonly workspaceId: WorkspaceId;
}

/**
 * Makes a document of an upload, with a queued proof and at the cost of a unit, or finds what there
 * is: a hash that was posted alone gives the document its proof and costs nothing; bytes that are
 * stored in the workspace are left as they are. Of any number of concurrent uploads of the same
 * bytes one makes the document.
 *
 * Refuses with INVALID_WORKSPACE and `AllowanceExceeded`; rejects with `BlobTooOld`. No event names
 * the blob then, and the caller deletes it. After an append of unknown outcome one may: the blob is
 * left to the sweep.
 */
export async function storeDocument(
  deps: UploadDeps,
  order: DocumentOrder,
  meta: EventMeta,
): Promise<StoredUpload> {
  checkOwnBlob(order);
  const stream = await hashStream(deps.store, order);
  // What costs no unit need not wait for others.
  const known = await retryOnConflict(() => joinOrLink(deps, order, stream, meta));
  if ('proofId' in known) return known;
  return deps.turns.take(order.organisationId, () =>
    retryOnConflict(async () => {
      const now = await joinOrLink(deps, order, stream, meta);
      return 'proofId' in now ? now : create(deps, order, now, meta);
    }),
  );
}

/** What an upload is decided upon: the hash's stream, free, and the organisation. */
interface FreePlace {
  readonly stream: StreamName<HashEvent>;
  readonly version: number;
  readonly organisation: Organisation;
}

async function joinOrLink(
  deps: UploadDeps,
  order: DocumentOrder,
  stream: StreamName<HashEvent>,
  meta: EventMeta,
): Promise<StoredUpload | FreePlace> {
  for (;;) {
    const { hash, organisation } = await loadPlace(deps.store, order, stream);
    if (hash.state.status === 'free') return { stream, version: hash.version, organisation };
    const found = await joinOrLinkProof(deps, order, { ...hash, state: hash.state, stream }, meta);
    // Null: the proof was rolled back meanwhile, which released the hash.
    if (found !== null) return found;
  }
}

/** Null if the proof that the hash stands by is gone for callers. */
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
  const place = { documentId, workspaceId: order.workspaceId };
  const decision = linkDocument(receivedFile(order), place, state);
  await appendUpload(deps, order, decision, {
    document: { stream: streams.document(documentId), version: 0 },
    proof: { stream, version },
    hash,
    unit: null,
    meta,
  });
  return { ...found, documentId, rootDocumentId: documentId, created: true, blobNamed: true };
}

async function create(
  deps: UploadDeps,
  order: DocumentOrder,
  { stream, version, organisation }: FreePlace,
  meta: EventMeta,
): Promise<StoredUpload> {
  const { organisationId, workspaceId } = order;
  const documentId = deps.newId() as DocumentId;
  const terms = proofTerms(deps, order);
  const { proofId, unitMonth } = terms;
  const limit = organisation.uploadAllowance;
  const month = { organisationId, month: unitMonth };
  const unit = await takenUnitEntry(deps.store, month, limit, documentId);
  const decision = decideStore(receivedFile(order), { documentId, workspaceId }, terms);
  await appendUpload(deps, order, decision, {
    document: { stream: streams.document(documentId), version: 0 },
    proof: { stream: streams.proof(proofId), version: 0 },
    hash: { stream, version },
    unit,
    meta,
  });
  const made = { created: true, alreadyProven: false, state: null, blobNamed: true } as const;
  return { documentId, rootDocumentId: documentId, proofId, ...made };
}
