import { checkNameable } from '../domain/blob/orphan.ts';
import type { DocumentDecision } from '../domain/document/decide.ts';
import type { DomainEvent } from '../domain/events.ts';
import type { StreamAppend } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { Upload, UploadDeps } from './upload.ts';

interface StreamAt {
  readonly stream: string;
  readonly version: number;
}

/**
 * Appends what was decided on an upload, all of it or nothing; in the log a document comes after the
 * request of its proof. Throws `BlobTooOld` where the blob may be swept already.
 */
export async function appendUpload(
  { store, now }: UploadDeps,
  { organisationId, blobKey }: Upload,
  decision: DocumentDecision,
  onto: {
    readonly document: StreamAt;
    readonly proof: StreamAt;
    readonly hash: StreamAt;
    readonly unit: StreamAppend | null;
    readonly meta: EventMeta;
  },
): Promise<void> {
  const entry = ({ stream, version }: StreamAt, events: readonly DomainEvent[]): StreamAppend[] =>
    events.length === 0 ? [] : [{ organisationId, stream, expectedVersion: version, events }];
  const entries = [
    ...entry(onto.proof, decision.proof),
    ...entry(onto.hash, decision.hash),
    ...entry(onto.document, decision.document),
    ...(onto.unit === null ? [] : [onto.unit]),
  ];
  checkNameable(blobKey, now());
  await store.append(entries, onto.meta);
}
