import type { Observable } from 'rxjs';
import type { KeyAccess } from '../../projections/access/query.ts';
import type { ReadMany } from '../event-store/read-coalescer.ts';
import type { DescribedApi } from './described-api.ts';
import type { KnownLedgers } from './known-ledgers.ts';
import type { Offload } from './offload/offload.ts';
import type { LookUp } from './paced-look-ups.ts';
import type { PageFiles } from './page-files.ts';
import type { Quickstart } from './quickstart/quickstart-schema.ts';
import type { Services } from './services.ts';
import type { HttpShares } from './shares/create-shares.ts';

/** What routes are given: the services, and what the app itself keeps. */
export interface RouteDeps extends Services {
  readonly offload: Offload;
  readonly shares: HttpShares;
  readonly ledgers: KnownLedgers;
  /** How routes ask ledgers for transactions. */
  readonly lookUp: LookUp;
  /** What keys may do, by their hashes: calls that come together are looked up together. */
  readonly keyAccesses: ReadMany<string, KeyAccess>;
  /** The OpenAPI document of every route. */
  readonly openApi: () => DescribedApi;
  /** The quickstart, but for what changes. */
  readonly quickstart: () => Omit<Quickstart, 'anchoringAccounts' | 'logKeys'>;
  /** Emits once, also to late subscribers, when waits must end because the service stops. */
  readonly drained: Observable<void>;
  /** What browsers get. */
  readonly pages: PageFiles;
}
