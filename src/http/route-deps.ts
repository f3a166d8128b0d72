import type { Observable } from 'rxjs';
import type { KnownLedgers } from './known-ledgers.ts';
import type { Services } from './services.ts';

/** What routes are given: the services, and what the app itself keeps. */
export interface RouteDeps extends Services {
  readonly ledgers: KnownLedgers;
  /** Emits once, also to late subscribers, when waits must end because the service stops. */
  readonly drained: Observable<void>;
}
