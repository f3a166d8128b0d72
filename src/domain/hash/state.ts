import type { Recorded } from '../event.ts';
import type { DocumentId, ProofId } from '../ulid.ts';
import type { HashEvent, HashReleased } from './events.ts';

/** State of one hash in one workspace. */
export type HashState = { readonly status: 'free' } | ClaimedHash;

export interface ClaimedHash {
  readonly status: 'claimed';
  readonly proofId: ProofId;
  /** Document of its bytes; null while only the hash was posted. */
  readonly document: StoredBytes | null;
}

/**
 * A document with its proof. The proof of a revision may differ from the one that claims the hash.
 */
interface StoredBytes {
  readonly documentId: DocumentId;
  readonly proofId: ProofId;
}

export const freeHash: HashState = { status: 'free' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveHash(state: HashState, event: Recorded<HashEvent>): HashState {
  switch (event.type) {
    case 'HashClaimed':
      return { status: 'claimed', proofId: event.data.proofId, document: null };
    case 'HashStored': {
      if (state.status !== 'claimed') throw new Error('HashStored before HashClaimed');
      const { documentId, proofId } = event.data;
      return { ...state, document: { documentId, proofId: proofId ?? state.proofId } };
    }
    case 'HashReleased':
      return release(state, event.data);
  }
}

/**
 * True if the proof claims the hash or is the proof of its document, so that its end must release
 * the hash.
 */
export function holdsHash(state: HashState, proofId: ProofId): boolean {
  if (state.status === 'free') return false;
  return state.proofId === proofId || state.document?.proofId === proofId;
}

/**
 * Ends the proof's claim. If the bytes are stored with another proof, that proof claims the hash.
 */
function release(state: HashState, { proofId }: HashReleased['data']): HashState {
  if (state.status === 'free') return freeHash;
  const document = state.document?.proofId === proofId ? null : state.document;
  if (state.proofId !== proofId) return { ...state, document };
  return document === null ? freeHash : { status: 'claimed', proofId: document.proofId, document };
}
