import type { Decisions, OwnedDecider } from '../decider.ts';
import type { Recorded } from '../event.ts';
import type { AccountEvent, AccountRetired } from './events.ts';

export interface AccountState {
  readonly retired: boolean;
}

/** State of an anchoring account's stream as operators see it, and the decisions on it. */
export const accountDecider = {
  initial: { retired: false },
  evolve,
  ownerOf: () => null,
  retire,
} satisfies OwnedDecider<AccountState, AccountEvent> & Decisions;

function evolve(state: AccountState, event: Recorded<AccountEvent>): AccountState {
  switch (event.type) {
    case 'SequencesTaken':
    case 'GapFillPrepared':
    case 'GapFillSettled':
      return state;
    case 'AccountRetired':
      return { retired: true };
  }
}

/** Retires the account. Appends nothing if it was retired before. */
function retire({ retired }: AccountState, of: AccountRetired['data']): readonly AccountEvent[] {
  return retired ? [] : [{ type: 'AccountRetired', data: of }];
}
