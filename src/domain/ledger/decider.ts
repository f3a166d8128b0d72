import type { Decisions, OwnedDecider } from '../decider.ts';
import type { Recorded } from '../event.ts';
import type { Network } from '../network.ts';
import type { LedgerEvent, LedgerJoined, LedgerRecognised } from './events.ts';

export interface LedgerState {
  readonly joined: boolean;
  /** The ledger no longer exists: its network was reset. */
  readonly gone: boolean;
}

/** State of a ledger's stream, and the decisions on it. */
export const ledgerDecider = {
  initial: { joined: false, gone: false },
  evolve,
  ownerOf: () => null,
  join,
  declareGone,
  recognise,
} satisfies OwnedDecider<LedgerState, LedgerEvent> & Decisions;

function evolve(state: LedgerState, event: Recorded<LedgerEvent>): LedgerState {
  switch (event.type) {
    case 'LedgerJoined':
      return { ...state, joined: true };
    case 'LedgerRecognised':
      return state;
    case 'LedgerGone':
      return { ...state, gone: true };
  }
}

/**
 * Id of a network's ledger. If the network can be reset, the id contains the hash of the ledger at
 * which we joined. Mainnet is never reset, so its id is the network's number alone.
 */
export function ledgerIdOf(network: Network, networkId: number, joinedAt: string): string {
  return network === 'mainnet' ? String(networkId) : `${networkId}-${joinedAt}`;
}

/** Joins the ledger. Appends nothing if it was joined before. */
function join({ joined }: LedgerState, first: LedgerJoined['data']): readonly LedgerEvent[] {
  return joined ? [] : [{ type: 'LedgerJoined', data: first }];
}

/** Declares the ledger gone. Appends nothing if it was declared gone before. */
function declareGone({ gone }: LedgerState, ledgerId: string): readonly LedgerEvent[] {
  return gone ? [] : [{ type: 'LedgerGone', data: { ledgerId } }];
}

function recognise(_: LedgerState, recognised: LedgerRecognised['data']): readonly LedgerEvent[] {
  return [{ type: 'LedgerRecognised', data: recognised }];
}
