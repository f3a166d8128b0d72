import type { DefinitionsOf, EventOf } from '../event.ts';
import type { DocumentId, ProofId } from '../ulid.ts';

/** The hash of this stream is being, or was, proven in its workspace by this proof. */
export type HashClaimed = EventOf<'HashClaimed', { readonly proofId: ProofId }>;

/** That proof was rolled back or given up: the hash can be posted again. */
export type HashReleased = EventOf<'HashReleased', { readonly proofId: ProofId }>;

/** The bytes are kept too, as this document; from then on its proof is not withdrawn any more. */
export type HashStored = EventOf<'HashStored', { readonly documentId: DocumentId }>;

export type HashEvent = HashClaimed | HashReleased | HashStored;

export const hashEvents: DefinitionsOf<HashEvent> = {
  HashClaimed: { schema: 1, clear: ['proofId'] },
  HashReleased: { schema: 1, clear: ['proofId'] },
  HashStored: { schema: 1, clear: ['documentId'] },
};
