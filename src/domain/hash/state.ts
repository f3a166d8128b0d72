import type { Recorded } from '../event.ts';
import type { DocumentId, ProofId } from '../ulid.ts';
import type { HashEvent } from './events.ts';

/** What is true of one hash in one workspace. */
export type HashState =
  | { readonly status: 'free' }
  | {
      readonly status: 'claimed';
      readonly proofId: ProofId;
      /** The document whose bytes it is; null while only the hash was posted. */
      readonly documentId: DocumentId | null;
    };

export const freeHash: HashState = { status: 'free' };

/** Folds one event into the state. An event that cannot follow is a defect and throws. */
export function evolveHash(state: HashState, event: Recorded<HashEvent>): HashState {
  switch (event.type) {
    case 'HashClaimed':
      return { status: 'claimed', proofId: event.data.proofId, documentId: null };
    case 'HashStored':
      if (state.status !== 'claimed') throw new Error('HashStored before HashClaimed');
      return { ...state, documentId: event.data.documentId };
    case 'HashReleased':
      return freeHash;
  }
}
