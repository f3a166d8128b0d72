/** Options of a standalone ledger. Each has a default, stated after the semicolon. */
export interface StandaloneLedgerOptions {
  /** Address to listen on; 127.0.0.1. */
  readonly host?: string;
  /** Port to listen on; 0, which takes a free one. */
  readonly port?: number;
  /** `network_id`; 1, like the real testnet. `buildVersion` distinguishes this ledger from it. */
  readonly networkId?: number;
  /** Milliseconds between closes; 1,000. With 0 only `close()` closes a ledger. */
  readonly closeMs?: number;
  /** Folder of the history file, created if necessary; none, and then all is lost at the end. */
  readonly dataDir?: string;
  /** Unix time in milliseconds, for close times and uptime; Date.now. */
  readonly clock?: () => number;
  /** Transactions per open ledger before fees escalate; 1,000, like a standalone rippled. */
  readonly openLedgerLimit?: number;
  /** Maximum of that limit; none, so the limit grows with the traffic. */
  readonly openLedgerMaximum?: number;
  /** `build_version`; `defaultBuildVersion`. */
  readonly buildVersion?: string;
  /** Receives messages about bugs; silent. */
  readonly log?: (message: string, error?: unknown) => void;
}

/** Options that can be passed to a thread. */
export type StandaloneLedgerThreadOptions = Omit<StandaloneLedgerOptions, 'clock' | 'log'>;

export const defaultBuildVersion = 'proofmark-standalone-2.3.0';
