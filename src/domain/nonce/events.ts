import type { DefinitionsOf, EventOf } from '../event.ts';
import type { ProofId } from '../ulid.ts';

/**
 * An answer with the nonce of the proof was sent whole to a caller. The only event of its stream.
 * The stream is not the proof's: an event there would conflict with the batch that anchors it.
 */
type NonceDelivered = EventOf<'NonceDelivered', { readonly proofId: ProofId }>;

export type NonceEvent = NonceDelivered;

export const nonceEvents: DefinitionsOf<NonceEvent> = {
  NonceDelivered: { schema: 1, clear: ['proofId'] },
};
