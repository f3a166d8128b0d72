import type { EventStore } from '../../../../src/event-store/event-store.ts';
import type { Leaves } from '../../../../src/event-store/leaves.ts';
import type { LedgerGateway } from '../../../../src/ledger/contract.ts';
import {
  checkTraces,
  requireAgreement,
} from '../../../../src/transparency-log/guard/check-traces.ts';
import { RestoreUnfinished } from '../../../../src/transparency-log/guard/restore-unfinished.ts';
import { loadLog } from '../../../../src/transparency-log/load-log.ts';
import { emptyReadModels } from './empty-read-models.ts';
import type { Surroundings } from './surroundings.ts';

/** Checks of a start, as the program makes them. */
export interface StartGuard {
  /** Compares the log with the submission marks. Rejects with `LogDiffers`. */
  compareMarks(): Promise<void>;
  /** Compares the log with the transactions of our accounts. Rejects with `LogDiffers`. */
  compareSent(gateway: LedgerGateway): Promise<void>;
}

export function createStartGuard(
  { published }: Surroundings,
  { store, leaves }: { readonly store: EventStore; readonly leaves: Pick<Leaves, 'read'> },
  addresses: readonly string[],
): StartGuard {
  return {
    async compareMarks() {
      const restoring = (await loadLog(store))?.state.restoring ?? null;
      if (restoring !== null) throw new RestoreUnfinished(restoring.epoch);
      const history = emptyReadModels;
      const traces = { of: 'publishing', store, leaves, history, published } as const;
      requireAgreement(await checkTraces(traces));
    },
    async compareSent(gateway) {
      const db = emptyReadModels;
      requireAgreement(await checkTraces({ of: 'sending', store, db, gateway, addresses }));
    },
  };
}
