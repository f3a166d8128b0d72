import type { ReadDeps } from '../subscriptions/await-position.ts';
import type { KnownLedgers } from './known-ledgers.ts';

/** Sources of the representations that HTTP answers and webhook deliveries share. */
export interface ViewDeps extends ReadDeps {
  readonly ledgers: KnownLedgers;
  /** URL of the service as callers reach it; a function, since the port may be known late. */
  readonly publicUrl: () => string;
}
