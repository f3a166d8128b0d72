import { checkNameable } from '../domain/blob/orphan.ts';
import type { DocumentDecision } from '../domain/document/decider.ts';
import type { Upload } from '../domain/document/upload.ts';
import type { DomainEvent } from '../domain/events.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { StorageLimiting } from '../loading/storage-use.ts';

/** Dependencies of the commands that take files. */
export interface UploadDeps extends StorageLimiting {
  readonly store: EventStore;
  /** Shared by all uploads of the process; the key is the organisation. */
  readonly turns: Turns;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

/**
 * Appends a decision on an upload, all or nothing. In the log a document follows the request of its
 * proof. Throws `BlobTooOld` if the blob may already be swept.
 */
export async function appendUpload(
  { store, now }: UploadDeps,
  { organisationId, blobKey }: Upload,
  decision: DocumentDecision,
  onto: {
    readonly document: StreamAt;
    readonly proof: StreamAt;
    readonly hash: StreamAt;
    /** Charged unit, and storage taken; empty for what costs nothing. */
    readonly charged: readonly StreamAppend[];
    readonly meta: EventMeta;
  },
): Promise<void> {
  const entry = ({ stream, version }: StreamAt, events: readonly DomainEvent[]): StreamAppend[] =>
    events.length === 0 ? [] : [{ organisationId, stream, expectedVersion: version, events }];
  const entries = [
    ...entry(onto.proof, decision.proof),
    ...entry(onto.hash, decision.hash),
    ...entry(onto.document, decision.document),
    ...onto.charged,
  ];
  checkNameable(blobKey, now());
  await store.append(entries, onto.meta);
}

interface StreamAt {
  readonly stream: string;
  readonly version: number;
}
