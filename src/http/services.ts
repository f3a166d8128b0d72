import type { Logger } from 'pino';
import type { ByteVerification } from '../byte-verification/contract.ts';
import type { CertificateMaker } from '../certificates/contract.ts';
import type { Network } from '../domain/network.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { Leaves } from '../event-store/leaves.ts';
import type { IdentityProvider } from '../identity/contract.ts';
import type { IssuerKeys } from '../issuer/contract.ts';
import type { LedgerGateway } from '../ledger/contract.ts';
import type { BlobStorage, UploadSpace } from '../storage/contract.ts';
import type { FileWork } from '../subscriptions/file-work.ts';
import type { LogSignal } from '../subscriptions/log-signal.ts';
import type { LogTail } from '../subscriptions/log-tail.ts';
import type { ReadModels } from '../subscriptions/projection.ts';
import type { StreamWatch } from '../subscriptions/stream-watch.ts';
import type { HandledRequest, Trace } from '../telemetry/contract.ts';
import type { CheckpointChoice } from '../transparency-log/inclusion/checkpoint-choice.ts';
import type { LogStorage } from '../transparency-log/published/contract.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';
import type { CertificateIssuing } from './certificates/certificate-issuing.ts';
import type { LiveOptions } from './console/live/create-live.ts';
import type { KeyUses } from './keys/key-uses.ts';
import type { CallLimits } from './limits/limit-calls.ts';
import type { AddressRecorder } from './limits/recorded-address.ts';
import type { Offload } from './offload/offload.ts';
import type { Operator } from './pages/about-operator.ts';
import type { NonceDeliveries } from './proofs/nonce-deliveries.ts';
import type { OwnAccount } from './proofs/own-account.ts';
import type { LookUpPace } from './proofs/paced-look-ups.ts';
import type { HttpShares } from './shares/create-shares.ts';

/** Services of the HTTP side, provided by the program. */
export interface Services {
  readonly events: EventServices;
  readonly files: FileServices;
  readonly publishedLog: PublishedLogServices;
  readonly certification: CertificationServices;
  readonly ledger: LedgerServices;
  readonly calls: CallServices;
  readonly limits: CallLimits;
  readonly site: SiteServices;
  readonly lifecycle: LifecycleServices;
  readonly telemetry: TelemetryServices;
  readonly sources: Sources;
  /** Tries, lists and repeats deliveries to webhook endpoints. */
  readonly webhooks: WebhookDeliveries;
}

/** The log of events and the read models, and what follows them. */
export interface EventServices {
  readonly store: EventStore;
  readonly db: ReadModels;
  /** The same database with prepared statements, for look-ups that every call repeats; default `db`. */
  readonly repeated?: ReadModels;
  readonly signal: LogSignal;
  readonly watch: StreamWatch;
  /** The end of the log, read once for the process; by default the store. */
  readonly tail?: Pick<LogTail, 'readPage'>;
}

/** The bytes of uploads and certificates, and their limits. */
export interface FileServices {
  /** Keeps the bytes of uploads, and certificates. */
  readonly storage: BlobStorage;
  /** Free-space mark of the disks, below which uploads are refused. */
  readonly uploadSpace: UploadSpace;
  readonly verification: ByteVerification;
  /**
   * Announces uploads, certificates and endpoint tests under way in this process to all processes.
   */
  readonly fileWork: FileWork;
  readonly maxUploadBytes: number;
  /** Storage allowance of organisations without their own, in bytes; null is unlimited. */
  readonly defaultStorageAllowance: number | null;
}

/** The published log. */
export interface PublishedLogServices {
  /** Storage of the published checkpoints and tiles. */
  readonly published: Pick<LogStorage, 'readTile'>;
  /** Leaves of the tree of the log. */
  readonly leaves: Pick<Leaves, 'readInput'>;
  /** Chooses the checkpoint to show, and to prove under. */
  readonly checkpoints: CheckpointChoice;
  /** Keys of all epochs of the log, newest first. */
  readonly logKeys: () => Promise<readonly string[]>;
}

/** Makers of certificates, and the keys of the issuer. */
export interface CertificationServices {
  readonly certificates: CertificateMaker;
  /** Signs the bundles of new certificates. */
  readonly issuer: IssuerKeys;
  readonly issueCertificate: CertificateIssuing;
}

/** The networks of the ledger, and the accounts of this service. */
export interface LedgerServices {
  /** Network for new proofs. */
  readonly network: Network;
  /** All configured networks, for verification; a network may be unreachable. */
  readonly gateways: readonly LedgerGateway[];
  /** Configured anchoring accounts, used or not. */
  readonly ownAccounts: readonly OwnAccount[];
  /** Ledger on which the network's proofs are anchored now; null if unknown. */
  readonly currentLedgerId?: (network: Network) => string | null;
  /** Time without a connected server after which a network counts as away (default 5,000). */
  readonly ledgerAwayMs?: number;
  /** Limit on look-ups for the public; by default 50 per second, 200 at once. */
  readonly lookUpPace?: LookUpPace;
}

/** The handling of calls, whatever they are for. */
export interface CallServices {
  /** Records the uses of keys. */
  readonly keyUses: KeyUses;
  /** Records which nonces reached a caller. */
  readonly nonces: NonceDeliveries;
  /** Shared by all commands of the process that take turns. */
  readonly turns: Turns;
  /** Runs expensive calls; by default on the main thread. */
  readonly offload?: Offload;
  /** Default: `createShares()`. */
  readonly shares?: HttpShares;
  /** Addresses to record with the events of calls; by default none. */
  readonly recordedAddress?: AddressRecorder;
  /** Maximum wait of POST /proofs for the validated transaction. */
  readonly proofWaitMs: number;
  /**
   * Maximum wait for the database to identify the caller, and again to run the operation (default
   * 30,000). After that the answer is 503. Settling a proof adds `proofWaitMs`. Receiving bodies
   * and storing files is not limited by this.
   */
  readonly answerWaitMs?: number;
}

/** The service as its callers and the readers of its pages see it. */
export interface SiteServices {
  /** Public URL of the service; a function, since the port may be known late. */
  readonly publicUrl: () => string;
  /** True if the service is reached by HTTPS only; browsers are told to keep using HTTPS. */
  readonly https?: boolean;
  /** Statements of the operator about itself, for the pages; by default none. */
  readonly operator?: Operator;
  /** People may sign in to the console by it; by default by passkeys only. */
  readonly identityProvider?: IdentityProvider | null;
  /** Open pages of the console; the defaults suit operation. */
  readonly liveOptions?: LiveOptions;
}

/** The start, state and end of the process. */
export interface LifecycleServices {
  /**
   * Aborted when the service begins to stop. Waits end `drainGraceMs` later (default 4,000), and
   * answers close their connections.
   */
  readonly draining: AbortSignal;
  readonly drainGraceMs?: number;
  /** Names the parts that are not ready; empty if the service is ready. */
  readonly readiness: () => Promise<readonly string[]>;
  /** Names the parts that do not work although the service is ready; empty if all do. */
  readonly degraded: () => Promise<readonly string[]>;
}

/** Receivers of records about requests. */
export interface TelemetryServices {
  readonly log: Logger;
  /** Receives every handled request. */
  readonly onHandled?: (request: HandledRequest) => void;
  /** Null or absent: nothing is traced. */
  readonly trace?: Trace | null;
}

/** Sources of ids, random bytes and the time. */
export interface Sources {
  /** A new ULID. */
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}
