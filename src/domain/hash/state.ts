import type { Recorded } from '../event.ts';
import type { ProofId } from '../ulid.ts';
import type { HashEvent } from './events.ts';

/** What is true of one hash in one workspace. */
export type HashState =
  | { readonly status: 'free' }
  | { readonly status: 'claimed'; readonly proofId: ProofId };

export const freeHash: HashState = { status: 'free' };

export function evolveHash(_state: HashState, event: Recorded<HashEvent>): HashState {
  switch (event.type) {
    case 'HashClaimed':
      return { status: 'claimed', proofId: event.data.proofId };
    case 'HashReleased':
      return freeHash;
  }
}
