/** How a standalone ledger is run. Everything has a default. */
export interface StandaloneLedgerOptions {
  /** Address to listen on; 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on; 0, which takes a free one. */
  readonly port?: number;
  /** `network_id`; 1, the real testnet's, from which `buildVersion` tells it. */
  readonly networkId?: number;
  /** Milliseconds between closes; 1,000. With 0 only `close()` closes a ledger. */
  readonly closeMs?: number;
  /** Folder of the history file, made if need be. Without it nothing outlives the ledger. */
  readonly dataDir?: string;
  /** Unix time in milliseconds, for close times and uptime; Date.now. */
  readonly clock?: () => number;
  /** Transactions per open ledger before fees escalate; 1,000 as a standalone rippled's. */
  readonly openLedgerLimit?: number;
  /** Bound for that limit, which otherwise grows with the traffic. */
  readonly openLedgerMaximum?: number;
  /** `build_version`. */
  readonly buildVersion?: string;
  /** Hears of defects; silent by default. */
  readonly log?: (message: string, error?: unknown) => void;
}

/** Options that can be handed to a thread. */
export type StandaloneLedgerThreadOptions = Omit<StandaloneLedgerOptions, 'clock' | 'log'>;

export const defaultBuildVersion = 'proofmark-standalone-2.3.0';
