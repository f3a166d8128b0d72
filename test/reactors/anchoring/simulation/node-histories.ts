import { History } from '../../../../src/embedded/standalone-ledger/chain/history.ts';

/** History files are slow to make and quick to empty: a few are used again and again. */
export const nodeHistories = {
  take(networkId: number, place: number): History {
    const name = `${networkId} ${place}`;
    const known = made.get(name);
    known?.clear();
    const history = known ?? new History(undefined, networkId);
    made.set(name, history);
    return history;
  },
};

const made = new Map<string, History>();
