import type { Logger } from 'pino';
import type { ByteVerification } from '../byte-verification/contract.ts';
import type { CertificateMaker } from '../certificates/contract.ts';
import type { Turns } from '../commands/turns.ts';
import type { Network } from '../domain/network.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Leaves } from '../event-store/leaves.ts';
import type { LedgerGateway } from '../ledger/contract.ts';
import type { BlobStorage } from '../storage/contract.ts';
import type { FileWork } from '../subscriptions/file-work.ts';
import type { LogSignal } from '../subscriptions/log-signal.ts';
import type { ReadModels } from '../subscriptions/projection.ts';
import type { StreamWatch } from '../subscriptions/stream-watch.ts';
import type { HandledRequest, Trace } from '../telemetry/contract.ts';
import type { EventProof } from '../transparency-log/inclusion/prove-event.ts';
import type { LogStorage } from '../transparency-log/publish/contract.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';
import type { KeyUses } from './key-uses.ts';
import type { CallLimits } from './limits/limit-calls.ts';
import type { Offload } from './offload/offload.ts';
import type { LookUpPace } from './paced-look-ups.ts';
import type { HttpShares } from './shares/create-shares.ts';

/** An account of the ledger that is this service's. */
export interface OwnAccount {
  readonly network: Network;
  readonly address: string;
}

/** What the HTTP side is given by the program around it. */
export interface Services extends CallLimits {
  readonly store: EventStore;
  readonly db: ReadModels;
  readonly signal: LogSignal;
  readonly watch: StreamWatch;
  /** Keeps the bytes of uploads, and certificates. */
  readonly storage: BlobStorage;
  /** Where the log is published, and what its tree is made of. */
  readonly published: Pick<LogStorage, 'readTile'>;
  readonly leaves: Pick<Leaves, 'readInput'>;
  /** Waits a while for a checkpoint that covers the position, and proves the event against it. */
  readonly inclusionOf: (position: number) => Promise<EventProof>;
  /** Keys of the log, of all its epochs, the newest first. */
  readonly logKeys: () => Promise<readonly string[]>;
  readonly verification: ByteVerification;
  /** Takes note of the keys that call. */
  readonly keyUses: KeyUses;
  /** Tells all processes of the uploads, certificates and tests of endpoints that are under way in this one. */
  readonly fileWork: FileWork;
  readonly certificates: CertificateMaker;
  /** Tries, lists and repeats deliveries to webhook endpoints. */
  readonly webhooks: WebhookDeliveries;
  /** Shared by all commands of the process that take turns. */
  readonly turns: Turns;
  /** Runs expensive calls; by default on the thread that serves all calls. */
  readonly offload?: Offload;
  /** Default: `createShares()`. */
  readonly shares?: HttpShares;
  readonly maxUploadBytes: number;
  /** Where proofs that are requested now are to be anchored. */
  readonly network: Network;
  /** Every configured network, for verification; none of them need be reachable. */
  readonly gateways: readonly LedgerGateway[];
  /** How often the public may have a ledger asked; by default 50 times a second, 200 at once. */
  readonly lookUpPace?: LookUpPace;
  /** What is configured to anchor from, whether or not it ever did. */
  readonly ownAccounts: readonly OwnAccount[];
  /** The ledger that the network's proofs are anchored on now; null where that is not known. */
  readonly currentLedgerId?: (network: Network) => string | null;
  /** Where the service is reached from outside; a function, since the port may be known late. */
  readonly publicUrl: () => string;
  /** Whether it is reached by HTTPS alone; browsers are told to stay with it. */
  readonly https?: boolean;
  /** How long POST /proofs waits for the validated transaction. */
  readonly proofWaitMs: number;
  /**
   * How long a call waits for the database to say who calls, and then for what it asks for; then it is
   * 503 (default 30,000). Where a proof is to be settled `proofWaitMs` is waited besides. Bodies and
   * the storage of files take their time.
   */
  readonly answerWaitMs?: number;
  /**
   * Aborted when the service begins to stop: waits end `drainGraceMs` later (default 4,000), and
   * answers close their connections.
   */
  readonly draining: AbortSignal;
  readonly drainGraceMs?: number;
  readonly log: Logger;
  /** Hears of every request that was handled. */
  readonly onHandled?: (request: HandledRequest) => void;
  /** Null or absent: nothing is traced. */
  readonly trace?: Trace | null;
  /** Names what is not ready; empty if the service is. */
  readonly readiness: () => Promise<readonly string[]>;
  /** A new ULID. */
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}
