import type { EventStore } from '../../../../src/event-store/event-store.ts';
import type { Leaves } from '../../../../src/event-store/leaves.ts';
import type { LedgerGateway } from '../../../../src/ledger/contract.ts';
import {
  check,
  requireAgreement,
  requireRestored,
} from '../../../../src/transparency-log/guard/check.ts';
import { emptyReadModels } from './empty-read-models.ts';
import type { Surroundings } from './surroundings.ts';

/** Checks of a start, as the program makes them. */
export interface StartGuard {
  /** Compares the log with the submission marks. Rejects with `LogUnconfirmed`. */
  compareMarks(): Promise<void>;
  /** Compares the log with the transactions of our accounts. Rejects with `LogUnconfirmed`. */
  compareSent(gateway: LedgerGateway): Promise<void>;
}

export function createStartGuard(
  { published }: Surroundings,
  { store, leaves }: { readonly store: EventStore; readonly leaves: Pick<Leaves, 'read'> },
  addresses: readonly string[],
): StartGuard {
  return {
    async compareMarks() {
      await requireRestored(store);
      const traces = { store, leaves, history: emptyReadModels, published };
      requireAgreement(await check('publishing', traces));
    },
    async compareSent(gateway) {
      const traces = { store, db: emptyReadModels, gateway, addresses };
      requireAgreement(await check('sending', traces));
    },
  };
}
