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
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { type Loaded, load } from '../event-store/handling/load.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { hashStream } from '../loading/hash-stream.ts';
import { loadUploadTarget } from '../loading/load-upload-target.ts';
import type { StorageLimiting } from '../loading/storage-use.ts';
import { uploadEntries } from '../loading/upload-entries.ts';

/** Dependencies of the commands that take files. */
export interface UploadDeps extends StorageLimiting {
  readonly store: EventStore;
  /** Shared by all uploads of the process; the key is the organisation. */
  readonly turns: Turns;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

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
  const { store, turns } = deps;
  const stream = await hashStream(store, order);
  // Uploads that cost no unit do not wait for a turn.
  const joinAtOnce = async () => {
    const target = await joinOrLink(deps, order, stream);
    return 'stored' in target ? target : { entries: [], stored: null };
  };
  const { stored: known } = await handleStreams(store, joinAtOnce, meta);
  if (known !== null) return known;
  const joinOrCreate = async () => {
    const target = await joinOrLink(deps, order, stream);
    return 'stored' in target ? target : create(deps, order, target);
  };
  const inTurn = () => handleStreams(store, joinOrCreate, meta);
  return (await turns.take(order.organisationId, inTurn)).stored;
}

/** The document that the entries create, or that exists already. */
interface DecidedUpload {
  readonly entries: readonly StreamAppend[];
  readonly stored: StoredUpload;
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
): Promise<DecidedUpload | FreeTarget> {
  for (;;) {
    const { hash, organisation } = await loadUploadTarget(deps.store, order, stream);
    if (hash.state.status === 'free') return { stream, version: hash.version, organisation };
    const found = await joinOrLinkProof(deps, order, { ...hash, state: hash.state, stream });
    // Null: the proof was rolled back meanwhile, which released the hash.
    if (found !== null) return found;
  }
}

/** Returns null if callers can no longer see the proof of the hash. */
async function joinOrLinkProof(
  deps: UploadDeps,
  order: DocumentOrder,
  hash: Loaded<ClaimedHash> & { readonly stream: StreamName<HashEvent> },
): Promise<DecidedUpload | null> {
  const { document: stored } = hash.state;
  const { proofId } = stored ?? hash.state;
  const stream = streams.proof(proofId);
  const { state, version } = await load(deps.store, stream, proofDecider);
  if (!isVisible(state)) return null;
  const found = { proofId, alreadyProven: true, state } as const;
  if (stored !== null) {
    const { documentId } = stored;
    const rootDocumentId = state.request.document?.rootDocumentId ?? documentId;
    const there = { documentId, rootDocumentId, created: false, blobNamed: false };
    return { entries: [], stored: { ...found, ...there } };
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
  const entries = await uploadEntries(deps, order, decision, target);
  const linked = { documentId, rootDocumentId: documentId, created: true, blobNamed: true };
  return { entries, stored: { ...found, ...linked } };
}

async function create(
  deps: UploadDeps,
  order: DocumentOrder,
  { stream, version, organisation }: FreeTarget,
): Promise<DecidedUpload> {
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
  const entries = await uploadEntries(deps, order, decision, target);
  const made = { created: true, alreadyProven: false, state: null, blobNamed: true } as const;
  return { entries, stored: { documentId, rootDocumentId: documentId, proofId, ...made } };
}
