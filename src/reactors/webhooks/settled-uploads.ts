import type { HashEvent } from '../../domain/hash/events.ts';
import type { ProofEvent } from '../../domain/proof/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import { proofOfStream, streams } from '../../domain/streams.ts';
import type { DocumentId, ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { Raised } from './raised-events.ts';

/** Part of the event store that finding settled uploads needs. */
export type UploadReader = Pick<EventStore, 'readStreams' | 'index'>;

/**
 * Finds the `upload.completed` and `upload.failed` events that these events raise. An upload
 * settles when its document's proof is anchored or given up, or when a file is stored whose hash
 * was proven before. Each upload is settled once: by the later one of storing its file and settling
 * its proof. Unreadable events of an erased organisation raise nothing.
 */
export async function findSettledUploads(
  store: UploadReader,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<StoredEvent, Raised>> {
  const asked = events.filter(isSettling);
  const proofs = await store.readStreams([...new Set(asked.map(proofStreamOf))]);
  const found = new Map<StoredEvent, Raised>();
  const hashes = new Map<SettlingEvent, StreamName<HashEvent>>();
  for (const event of asked) {
    const proof = proofs.get(proofStreamOf(event)) ?? [];
    if (event.type === 'DocumentStored') {
      const wasProven = proof.some(
        ({ type, position }) => type === 'Anchored' && position < event.position,
      );
      const { documentId } = event.data;
      if (wasProven) found.set(event, settled(event, documentId, documentId));
      continue;
    }
    const request = proof.find(({ type }) => type === 'ProofRequested');
    if (request?.type !== 'ProofRequested' || request.erased) continue;
    const { document, workspaceId, fileHash } = request.data;
    if (document !== null) {
      found.set(event, settled(event, document.documentId, document.rootDocumentId));
      continue;
    }
    const { organisationId } = event;
    const index = organisationId && (await store.index(organisationId, fileHash));
    if (index !== null) hashes.set(event, streams.hash(workspaceId, index));
  }
  const claims = await store.readStreams([...new Set(hashes.values())]);
  for (const [event, stream] of hashes) {
    const documentId = linkedDocument(claims.get(stream) ?? [], event);
    if (documentId !== null) found.set(event, settled(event, documentId, documentId));
  }
  return found;
}

/** The kind that an event raises if it settles an upload; null for types that never do. */
export function settlingKind(event: StoredEvent): SettlingKind | null {
  return isSettling(event) ? settlingKinds[event.type] : null;
}

type SettlingKind = 'upload.completed' | 'upload.failed';

const settlingKinds = {
  DocumentStored: 'upload.completed',
  Anchored: 'upload.completed',
  AnchorRefused: 'upload.failed',
} as const satisfies Partial<Record<StoredEvent['type'], SettlingKind>>;

type SettlingType = keyof typeof settlingKinds;

/** Types of event that can settle an upload. */
export const settlingTypes = Object.keys(settlingKinds) as readonly SettlingType[];

type SettlingEvent = StoredEvent & { type: SettlingType };

function isSettling(event: StoredEvent): event is SettlingEvent {
  return Object.hasOwn(settlingKinds, event.type);
}

function proofStreamOf(event: SettlingEvent): StreamName<ProofEvent> {
  return event.type === 'DocumentStored'
    ? streams.proof(event.data.proofId)
    : (event.stream as StreamName<ProofEvent>);
}

function settled(event: SettlingEvent, documentId: DocumentId, rootId: DocumentId): Raised {
  return { kind: settlingKinds[event.type], resourceId: documentId, rootId };
}

/** The document that was stored for the proof of a hash alone, before that proof was settled. */
function linkedDocument(hash: readonly StoredEvent[], settling: StoredEvent): DocumentId | null {
  const proofId = proofOfStream(settling.stream);
  let claimedBy: ProofId | null = null;
  for (const event of hash) {
    if (event.position > settling.position) break;
    if (event.type === 'HashClaimed') claimedBy = event.data.proofId;
    if (event.type !== 'HashStored') continue;
    const ofProof = event.data.proofId ?? claimedBy;
    if (ofProof === proofId) return event.data.documentId;
  }
  return null;
}
