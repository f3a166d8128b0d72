import { allowanceDecider } from '../domain/allowance/decider.ts';
import { checkNameable } from '../domain/blob/orphan.ts';
import type { DocumentDecision } from '../domain/document/decider.ts';
import type { Upload } from '../domain/document/upload.ts';
import type { DomainEvent } from '../domain/events.ts';
import { storageDecider } from '../domain/storage/decider.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import { loadNewest } from '../event-store/handling/load.ts';
import { loadStorageUse, type StorageLimiting } from './storage-use.ts';

interface EntriesDeps extends StorageLimiting {
  readonly store: Pick<EventStore, 'readLast' | 'head'>;
  readonly now: () => Date;
}

/** Streams of an upload at the versions on which it was decided, and its charge. */
interface UploadStreams {
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
 * Entries of a decision on an upload, with its unit and the storage that it takes. In the log a
 * document follows the request of its proof. Throws `AllowanceExceeded`, and `BlobTooOld` if the
 * blob may already be swept.
 */
export async function uploadEntries(
  deps: EntriesDeps,
  upload: Upload,
  decision: DocumentDecision,
  { documentId, document, proof, hash, unit }: UploadStreams,
): Promise<readonly StreamAppend[]> {
  const { organisationId, blobKey } = upload;
  const entry = ({ stream, version }: StreamAt, events: readonly DomainEvent[]): StreamAppend[] =>
    events.length === 0 ? [] : [{ organisationId, stream, expectedVersion: version, events }];
  const charged = await Promise.all([
    unit === null ? [] : takeUnit(deps, upload, documentId, unit),
    takeStorage(deps, upload, documentId),
  ]);
  checkNameable(blobKey, deps.now());
  return [
    ...entry(proof, decision.proof),
    ...entry(hash, decision.hash),
    ...entry(document, decision.document),
    ...charged.flat(),
  ];
}

async function takeUnit(
  { store }: Pick<EntriesDeps, 'store'>,
  { organisationId }: Upload,
  documentId: DocumentId,
  { month, limit }: UnitCharge,
): Promise<StreamAppend> {
  const stream = streams.allowance(organisationId, month);
  const { state: used, version } = await loadNewest(store, stream, allowanceDecider);
  const events = allowanceDecider.takeUnit(used, limit, documentId);
  return { organisationId, stream, expectedVersion: version, events };
}

/**
 * The event fences concurrent uploads. Without a storage allowance there is none.
 */
async function takeStorage(
  deps: EntriesDeps,
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
