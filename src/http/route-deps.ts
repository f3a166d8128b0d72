import type { Observable } from 'rxjs';
import type { KeyAccess } from '../../projections/access/query.ts';
import type { ReadMany } from '../event-store/read-coalescer.ts';
import type { KnownPeople } from '../loading/known-people.ts';
import type { MayHaveFile, StoredBytes } from '../loading/storage-use.ts';
import type { KnownLedgers } from '../views/known-ledgers.ts';
import type { AccountBalances } from './console/account/account-balances.ts';
import type { ConsoleApi } from './console/console-api.ts';
import type { Live } from './console/live/create-live.ts';
import type { Session } from './console/sessions.ts';
import type { Offload } from './offload/offload.ts';
import type { DescribedApi } from './openapi/described-api.ts';
import type { PageFiles } from './pages/page-files.ts';
import type { PublicFacts } from './pages/public-facts.ts';
import type { LedgerAbsence } from './proofs/ledger-absence.ts';
import type { LookUp } from './proofs/paced-look-ups.ts';
import type { Quickstart } from './quickstart/quickstart-schema.ts';
import type { Services } from './services.ts';
import type { HttpShares } from './shares/create-shares.ts';

/** Dependencies of routes: the services, and the app's own state. */
export interface RouteDeps extends Services {
  readonly offload: Offload;
  readonly shares: HttpShares;
  readonly ledgers: KnownLedgers;
  readonly people: KnownPeople;
  /** Networks that are known to be away. */
  readonly ledgerAbsence: LedgerAbsence;
  /** Looks up transactions on ledgers. */
  readonly lookUp: LookUp;
  /** Adds up the bytes of an organisation's stored files. */
  readonly storedBytes: StoredBytes;
  readonly mayHaveFile: MayHaveFile;
  /** Access of keys by hash. Concurrent look-ups are combined. */
  readonly keyAccesses: ReadMany<string, KeyAccess>;
  /** Sessions of the console by the hash of their token. Concurrent look-ups are combined. */
  readonly sessions: ReadMany<string, Session>;
  /** The OpenAPI document of every route. */
  readonly openApi: () => DescribedApi;
  /** The quickstart without its changing members. */
  readonly quickstart: () => Omit<Quickstart, 'anchoringAccounts' | 'logKeys' | 'issuerKeys'>;
  /** Emits once, also to late subscribers, when waits must end because the service stops. */
  readonly drained: Observable<void>;
  /** Balances of the accounts of this service. */
  readonly accountBalances: AccountBalances;
  /** Accounts and keys as the pages show them; null while they cannot be read. */
  readonly publicFacts: () => Promise<PublicFacts | null>;
  /** The API, called for people who are signed in to the console. */
  readonly consoleApi: ConsoleApi;
  /** Changes and numbers that open pages of the console receive. */
  readonly live: Live;
  /** Pages and files for browsers. */
  readonly pages: PageFiles;
}
