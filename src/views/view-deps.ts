import type { EventStore } from '../event-store/event-store.ts';
import type { LogSignal } from '../subscriptions/log-signal.ts';
import type { ReadModels } from '../subscriptions/projection.ts';
import type { KnownLedgers } from './known-ledgers.ts';

/** Sources of the representations that HTTP answers and webhook deliveries share. */
export interface ViewDeps {
  readonly store: EventStore;
  readonly db: ReadModels;
  readonly signal: LogSignal;
  readonly ledgers: KnownLedgers;
  /** URL of the service as callers reach it; a function, since the port may be known late. */
  readonly publicUrl: () => string;
}
