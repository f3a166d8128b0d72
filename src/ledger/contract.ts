import type { Observable } from 'rxjs';
import type { Network } from '../domain/network.ts';
import type { LedgerMemo } from '../domain/proof/memo.ts';

/**
 * One network of the XRP Ledger, reached through supervised connections to one or several servers.
 * Every method but `shown` rejects with `LedgerUnavailable` when no server answers in time: the
 * outcome is unknown, and the call may be repeated. All calls but `submit` only read.
 */
export interface LedgerGateway {
  readonly network: Network;
  /** Name for operators: the network, or `standalone` if the last connected ledger was one. */
  name(): Network | 'standalone';
  /** Emits the present state at once, then every change, mainly new validated ledgers. */
  readonly status: Observable<LedgerStatus>;
  current(): LedgerStatus;
  /** Each configured server, in order of preference. */
  servers(): readonly LedgerServer[];
  /**
   * A validated ledger with all its transactions; with a hash (upper-case hex), this one. Null if no
   * server has it.
   */
  ledger(index: number, hash?: string): Promise<ValidatedLedger | null>;
  /**
   * The ledger from each connected server, to see whether all show the same chain. A server that
   * does not answer, or lacks a ledger that others have, is set aside until its next connection,
   * which changes the epoch.
   */
  ledgers(index: number): Promise<readonly ShownLedger[]>;
  /**
   * The reported tip as its ledger's header states it; null if no server shows this header in time.
   * A server that reports a tip which it does not have is set aside if it makes others seem to lag, or if
   * another one shows a different ledger. It is asked for it twice before, and for half a minute if it gives
   * no answer. A server whose tip no other one shows is set aside, too, if so many ledgers cannot have
   * closed.
   */
  shown(tip: LedgerTip): Promise<LedgerTip | null>;
  /**
   * The header of a ledger a few before a tip that no server shows; null if no header is shown by more
   * servers than another one, or if the tip makes a server seem to lag.
   */
  shownBefore(tip: LedgerTip): Promise<LedgerTip | null>;
  /**
   * Looks up one transaction by its hash (upper-case hex). With a range, `searchedAll` is true if
   * the server has every ledger of the range: only then does `absent` prove absence.
   */
  lookUp(hash: string, range?: LedgerRange): Promise<TransactionLookup>;
  /**
   * The account in the newest validated ledger of a server that has reached `minLedger`; null if
   * the account does not exist there. `doubted` is the number of answers so far that may be wrong: each
   * later request starts at another server, and waits a moment until that one has reached `minLedger`.
   */
  account(address: string, minLedger: number, doubted?: number): Promise<LedgerAccount | null>;
  /**
   * The account's own transactions in validated ledgers, newest first, a page at a time; from the
   * server whose history goes back furthest. Empty for an account that does not exist. Ledgers before
   * `since` are left out, unless a server's history begins later or ends earlier.
   */
  sent(address: string, from?: HistoryMarker, since?: number): Promise<HistoryPage>;
  /**
   * Submits a signed blob (hex). Submitting the same blob again is harmless. Every answer is
   * provisional, and a lost answer proves nothing. `earlier` is the number of submissions before:
   * each later one starts at another server, since a server may take transactions without relaying
   * them.
   * A submission may wait for the limits of the servers. No server gets it if `isWanted` returns false
   * when its turn comes: it then rejects with `LedgerUnavailable`.
   */
  submit(blob: string, earlier?: number, isWanted?: () => boolean): Promise<SubmitAnswer>;
  /**
   * Number of submissions that the servers accept within this time in milliseconds, including those
   * that have not been answered yet; Infinity if one of the servers has no limit for us.
   */
  submissionsWithin(ms: number): number;
  /** Number of submissions that wait for the limits of the servers. */
  submissionsWaiting(): number;
  close(): Promise<void>;
}

export type LedgerStatus =
  | { readonly connected: false; readonly reason: string }
  | ({
      readonly connected: true;
      readonly networkId: number;
      /** Changes whenever a server connects, disconnects or reconnects. */
      readonly epoch: string;
      /** True for the development ledger of this project, identified by its `build_version`. */
      readonly standalone: boolean;
      readonly tip: LedgerTip;
      /** True if this tip makes another connected server seem to lag. It may be invented. */
      readonly outruns: boolean;
    } & LedgerFees);

/** Fees and reserves now. */
export interface LedgerFees {
  readonly baseFeeDrops: number;
  /** Minimum fee for a transaction to enter the open ledger now. */
  readonly openLedgerFeeDrops: number;
  /**
   * Minimum fee for a transaction to be queued by the servers. A queued one enters a later ledger,
   * after those that pay more.
   */
  readonly queueFeeDrops: number;
  /** Transactions, of all accounts, that enter the open ledger before its fee rises. */
  readonly expectedLedgerSize: number;
  /** Null if the servers do not report it. */
  readonly reserve: LedgerReserve | null;
}

/** Reserve of an account, in drops: it can be spent on fees only. */
export interface LedgerReserve {
  readonly baseDrops: number;
  /** For each ledger object that the account owns. */
  readonly perObjectDrops: number;
}

/** One server, named without credentials; its newest validated ledger, or why it is not used. */
export interface LedgerServer {
  readonly name: string;
  readonly state: 'connecting' | 'lost' | 'refused' | 'ready';
  readonly tip: LedgerTip | null;
  readonly reason: string | null;
  /**
   * True if an amendment that the server does not know is active: it cannot follow its network
   * until it is upgraded, and is not used.
   */
  readonly amendmentBlocked: boolean;
  /**
   * Null if the server does not warn of one. rippled warns administrators only, so a public server
   * never does.
   */
  readonly unsupportedMajority: UnsupportedMajority | null;
}

/** Amendments that the server does not know, and that a majority of validators has accepted. */
export interface UnsupportedMajority {
  /**
   * Expected activation of the first one, which blocks the server: seconds since
   * 2000-01-01T00:00:00Z. Null if the server does not state it.
   */
  readonly expectedTime: number | null;
}

/** Identity and close time of a validated ledger. */
export interface LedgerTip {
  readonly index: number;
  readonly hash: string;
  /** Seconds since 2000-01-01T00:00:00Z; strictly increasing along the chain. */
  readonly closeTime: number;
}

export interface LedgerRange {
  readonly minLedger: number;
  readonly maxLedger: number;
}

export interface ValidatedLedger extends LedgerTip {
  readonly parentHash: string;
  /** Binary ledger header, upper-case hex; its hash was checked against `hash`. */
  readonly header: string;
  /** Complete: their tree was checked against the header. */
  readonly transactions: readonly LedgerTransaction[];
}

/** Answer of one server, named without credentials; null if it does not have the ledger. */
export interface ShownLedger {
  readonly server: string;
  readonly ledger: ValidatedLedger | null;
}

/** A transaction in a validated ledger; blob and metadata in upper-case hex. */
export interface LedgerTransaction {
  readonly hash: string;
  readonly blob: string;
  readonly metadata: string;
}

export type TransactionLookup =
  | {
      readonly found: 'validated';
      readonly ledgerIndex: number;
      readonly ledgerHash: string;
      readonly closeTime: number;
      /** `tesSUCCESS` or a `tec` code. */
      readonly result: string;
      readonly account: string;
      readonly memos: readonly LedgerMemo[];
    }
  | { readonly found: 'unvalidated' }
  | { readonly found: 'absent'; readonly searchedAll: boolean };

export interface HistoryPage {
  readonly transactions: readonly SentTransaction[];
  /**
   * The oldest ledger that the server could search; older ones are unknown. 0 if the server does not know
   * the account: it does not say what it searched.
   */
  readonly searchedFrom: number;
  /** Start of the next, older page; null after the last one. */
  readonly next: HistoryMarker | null;
}

/** Opaque marker from the server. */
export type HistoryMarker = object;

/** A transaction in a validated ledger, with any result. */
export interface SentTransaction {
  readonly hash: string;
  /** Upper-case hex. */
  readonly blob: string;
  readonly ledgerIndex: number;
  /** `tesSUCCESS` or a `tec` code. */
  readonly engineResult: string;
  /** Null if it used a ticket instead, which may have been created at any time. */
  readonly sequence: number | null;
  readonly feeDrops: number;
  /** Null if it has none. */
  readonly lastLedgerSequence: number | null;
  readonly memos: readonly LedgerMemo[];
}

export interface LedgerAccount {
  /** The Sequence of the next transaction that can be applied. */
  readonly sequence: number;
  readonly balanceDrops: bigint;
  /** Key that may sign instead of the master key; null if there is none. */
  readonly regularKey: string | null;
  readonly masterKeyDisabled: boolean;
  /** Number of ledger objects that the account owns: each raises its reserve. */
  readonly ownedObjects: number;
}

/**
 * `engineResult`: a code such as tesSUCCESS, or the server's error code for a malformed request.
 */
export interface SubmitAnswer {
  readonly engineResult: string;
  readonly message: string;
  /** Newest validated ledger of the server when it answered; 0 if the answer does not name it. */
  readonly validatedLedger: number;
}
