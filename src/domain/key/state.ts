import type { Recorded } from '../event.ts';
import type { KeyEvent, KeyIssued } from './events.ts';

export type KeyState =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'issued' | 'revoked' } & KeyIssued['data']);

export const unknownKey: KeyState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveKey(state: KeyState, event: Recorded<KeyEvent>): KeyState {
  switch (event.type) {
    case 'KeyIssued':
      return { status: 'issued', ...event.data };
    case 'KeyRevoked':
      if (state.status === 'unknown') throw new Error('KeyRevoked before KeyIssued');
      return { ...state, status: 'revoked' };
  }
}
