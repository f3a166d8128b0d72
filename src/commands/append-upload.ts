import { allowanceDecider } from '../domain/allowance/decider.ts';
import { checkNameable } from '../domain/blob/orphan.ts';
import type { DocumentDecision } from '../domain/document/decider.ts';
import type { Upload } from '../domain/document/upload.ts';
import type { DomainEvent } from '../domain/events.ts';
import { storageDecider } from '../domain/storage/decider.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import { decideOnCount } from '../event-store/handling/decide-on-count.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadStorageUse, type StorageLimiting } from '../loading/storage-use.ts';

/** Dependencies of the commands that take files. */
export interface UploadDeps extends StorageLimiting {
  readonly store: EventStore;
  /** Shared by all uploads of the process; the key is the organisation. */
  readonly turns: Turns;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

/** Streams of an upload at the versions on which it was decided, and its charge. */
interface UploadTarget {
  readonly documentId: DocumentId;
  readonly document: StreamAt;
  readonly proof: StreamAt;
  readonly hash: StreamAt;
  /** Unit that the upload costs; null if it costs none. */
  readonly unit: UnitCharge | null;
}

interface StreamAt {
  readonly stream: string;
  readonly version: number;
}

interface UnitCharge {
  /** Month of the allowance. */
  readonly month: string;
  /** Units of a month; null is unlimited. */
  readonly limit: number | null;
}

/**
 * Appends a decision on an upload, all or nothing, with its unit and the storage that it takes. In
 * the log a document follows the request of its proof. Throws `AllowanceExceeded`, and `BlobTooOld`
 * if the blob may already be swept.
 */
export async function appendUpload(
  deps: UploadDeps,
  upload: Upload,
  decision: DocumentDecision,
  { documentId, document, proof, hash, unit }: UploadTarget,
  meta: EventMeta,
): Promise<void> {
  const { organisationId, blobKey } = upload;
  const entry = ({ stream, version }: StreamAt, events: readonly DomainEvent[]): StreamAppend[] =>
    events.length === 0 ? [] : [{ organisationId, stream, expectedVersion: version, events }];
  const charged = await Promise.all([
    unit === null ? [] : takeUnit(deps, upload, documentId, unit),
    takeStorage(deps, upload, documentId),
  ]);
  const entries = [
    ...entry(proof, decision.proof),
    ...entry(hash, decision.hash),
    ...entry(document, decision.document),
    ...charged.flat(),
  ];
  checkNameable(blobKey, deps.now());
  await deps.store.append(entries, meta);
}

async function takeUnit(
  { store }: UploadDeps,
  { organisationId }: Upload,
  documentId: DocumentId,
  { month, limit }: UnitCharge,
): Promise<StreamAppend> {
  const allowance = streams.allowance(organisationId, month);
  const take = (used: number) => allowanceDecider.takeUnit(used, limit, documentId);
  return decideOnCount(store, allowance, organisationId, allowanceDecider, take);
}

/**
 * The event fences concurrent uploads. Without a storage allowance there is none.
 */
async function takeStorage(
  deps: UploadDeps,
  { organisationId, fileSizeBytes }: Upload,
  documentId: DocumentId,
): Promise<readonly StreamAppend[]> {
  const use = await loadStorageUse(deps, organisationId);
  if (use === null) return [];
  const { usedBytes, limitBytes, allowance, version: expectedVersion } = use;
  const taking = { usedBytes, limitBytes, fileSizeBytes };
  const events = storageDecider.take(taking, documentId, allowance);
  return [{ organisationId, stream: streams.storage(organisationId), expectedVersion, events }];
}
