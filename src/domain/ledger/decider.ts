import type { Decisions, OwnedDecider } from '../decider.ts';
import type { Recorded } from '../event.ts';
import type { LedgerEvent, LedgerRecognised } from './events.ts';

export interface LedgerState {
  /** The ledger no longer exists: its network was reset. */
  readonly gone: boolean;
}

/** State of a ledger's stream, and the decisions of operators on it. */
export const ledgerDecider = {
  initial: { gone: false },
  evolve,
  ownerOf: () => null,
  declareGone,
  recognise,
} satisfies OwnedDecider<LedgerState, LedgerEvent> & Decisions;

function evolve(state: LedgerState, event: Recorded<LedgerEvent>): LedgerState {
  switch (event.type) {
    case 'LedgerJoined':
    case 'LedgerRecognised':
      return state;
    case 'LedgerGone':
      return { gone: true };
  }
}

/** Declares the ledger gone. Appends nothing if it was declared gone before. */
function declareGone({ gone }: LedgerState, ledgerId: string): readonly LedgerEvent[] {
  return gone ? [] : [{ type: 'LedgerGone', data: { ledgerId } }];
}

function recognise(_: LedgerState, recognised: LedgerRecognised['data']): readonly LedgerEvent[] {
  return [{ type: 'LedgerRecognised', data: recognised }];
}
