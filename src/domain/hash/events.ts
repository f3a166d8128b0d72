import type { DefinitionsOf, EventOf } from '../event.ts';
import type { DocumentId, ProofId } from '../ulid.ts';

/** The hash of this stream is being, or was, proven in its workspace by this proof. */
export type HashClaimed = EventOf<'HashClaimed', { readonly proofId: ProofId }>;

/**
 * That proof was rolled back or given up: it claims the hash no longer, nor are the bytes stored as
 * its document. Without another claim the hash can be posted again.
 */
export type HashReleased = EventOf<'HashReleased', { readonly proofId: ProofId }>;

/**
 * The bytes are kept too, as this document, whose proof is not withdrawn any more. That of a revision
 * is its own, and need not be the one that claims the hash; null in events of schema 1: the latter.
 */
export type HashStored = EventOf<
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
