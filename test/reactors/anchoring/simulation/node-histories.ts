import { History } from '../../../../src/embedded/standalone-ledger/chain/history.ts';

/** Pool of history files, which are slow to create and quick to empty. */
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
