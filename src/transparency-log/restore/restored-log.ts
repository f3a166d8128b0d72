import type { Kysely } from 'kysely';
import type { StoreTables } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import type { LogStorage } from '../published/contract.ts';

/** The restored database, and the storage, which was not restored with it. */
export interface RestoredLog {
  readonly store: EventStore;
  readonly db: Kysely<StoreTables>;
  readonly leaves: Leaves;
  readonly published: LogStorage;
  readonly meta: EventMeta;
  /** Clock to compare close times with; the machine's. */
  readonly now?: () => Date;
}

/** A configured network with its signing accounts. */
export interface RestoredNetwork {
  readonly gateway: LedgerGateway;
  readonly keys: readonly { readonly address: string }[];
  /** The account that anchors checkpoints; null if there is none. */
  readonly checkpointKey: { readonly address: string } | null;
}
