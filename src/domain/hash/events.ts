import type { DefinitionsOf, EventOf } from '../event.ts';
import type { DocumentId, ProofId } from '../ulid.ts';

/** This proof claimed the hash of this stream in its workspace. */
type HashClaimed = EventOf<'HashClaimed', { readonly proofId: ProofId }>;

/**
 * The proof was rolled back or given up. It no longer claims the hash, and the bytes are no longer
 * stored as its document. Without another claim the hash can be posted again.
 */
export type HashReleased = EventOf<'HashReleased', { readonly proofId: ProofId }>;

/**
 * The bytes are stored as this document, whose proof cannot be withdrawn any more. The proof of a
 * revision is its own, and may differ from the proof that claims the hash. In events of schema 1
 * `proofId` is null and stands for the claiming proof.
 */
type HashStored = EventOf<
  'HashStored',
  { readonly documentId: DocumentId; readonly proofId: ProofId | null }
>;

export type HashEvent = HashClaimed | HashReleased | HashStored;

export const hashEvents: DefinitionsOf<HashEvent> = {
  HashClaimed: { schema: 1, clear: ['proofId'] },
  HashReleased: { schema: 1, clear: ['proofId'] },
  HashStored: {
    schema: 2,
    clear: ['documentId', 'proofId'],
    upcasts: { 1: (data) => ({ ...data, proofId: null }) },
  },
};
