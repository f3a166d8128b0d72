import type { Recorded } from '../event.ts';
import type { DocumentId, ProofId } from '../ulid.ts';
import type { HashEvent, HashReleased } from './events.ts';

/** What is true of one hash in one workspace. */
export type HashState = { readonly status: 'free' } | ClaimedHash;

export interface ClaimedHash {
  readonly status: 'claimed';
  readonly proofId: ProofId;
  /** As what its bytes are stored; null while only the hash was posted. */
  readonly document: StoredBytes | null;
}

/** A document, with the proof that it has: that of a revision need not be the one with the claim. */
export interface StoredBytes {
  readonly documentId: DocumentId;
  readonly proofId: ProofId;
}

export const freeHash: HashState = { status: 'free' };

/** Folds one event into the state. An event that cannot follow is a defect and throws. */
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

/** Whether the hash stands by this proof, so that it must let go of it when that one is gone. */
export function holdsHash(state: HashState, proofId: ProofId): boolean {
  if (state.status === 'free') return false;
  return state.proofId === proofId || state.document?.proofId === proofId;
}

/** Bytes that are stored keep the hash claimed, by the proof of their document. */
function release(state: HashState, { proofId }: HashReleased['data']): HashState {
  if (state.status === 'free') return freeHash;
  const document = state.document?.proofId === proofId ? null : state.document;
  if (state.proofId !== proofId) return { ...state, document };
  return document === null ? freeHash : { status: 'claimed', proofId: document.proofId, document };
}
