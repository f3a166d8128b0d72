import type { Observable } from 'rxjs';
import type { Network } from '../domain/network.ts';
import type { LedgerMemo } from '../domain/proof/memo.ts';

/**
 * One network of the XRP Ledger as the service sees it. Behind it stand supervised connections to
 * one or several servers. Every method rejects with `LedgerUnavailable` when no server answers in
 * time; nothing is known then, and the call may be repeated. All calls but `submit` only read.
 */
export interface LedgerGateway {
  readonly network: Network;
  /** The newest state; emits the present one at once and every change, above all new validated ledgers. */
  readonly status: Observable<LedgerStatus>;
  current(): LedgerStatus;
  /** Each configured server by itself, in order of preference. */
  servers(): readonly LedgerServer[];
  /** A validated ledger with all its transactions; null where no server has it. */
  ledger(index: number): Promise<ValidatedLedger | null>;
  /**
   * The same from each connected server by itself, to see whether they show the same chain. One that
   * does not answer, or lacks what others show, is not used until it is connected to afresh, which
   * changes the epoch.
   */
  ledgers(index: number): Promise<readonly (ValidatedLedger | null)[]>;
  /**
   * Looks one transaction up by its hash (upper-case hex). With a range, `searchedAll` says whether
   * the server has every ledger of it: only then is `absent` more than "not seen".
   */
  lookUp(hash: string, range?: LedgerRange): Promise<TransactionLookup>;
  /**
   * The account in the newest validated ledger of a server that has reached `minLedger`; null if it
   * does not exist there.
   */
  account(address: string, minLedger: number): Promise<LedgerAccount | null>;
  /**
   * What the account itself sent, as validated ledgers have it, newest first, a page at a time; from
   * the server whose history goes back furthest. Empty for an account that does not exist.
   */
  sent(address: string, from?: HistoryMarker): Promise<HistoryPage>;
  /**
   * Hands over a signed blob (hex). Handing over the same one again is harmless. The answer is
   * provisional whatever it says, and a lost answer says nothing.
   */
  submit(blob: string): Promise<SubmitAnswer>;
  /** How many submissions the servers bear now; Infinity while none complains of our load. */
  submissionsPerSecond(): number;
  close(): Promise<void>;
}

export type LedgerStatus =
  | { readonly connected: false; readonly reason: string }
  | {
      readonly connected: true;
      readonly networkId: number;
      /** Changes whenever a server comes, goes or is connected to afresh. */
      readonly epoch: string;
      /** The development ledger of this project, told by its `build_version`. */
      readonly standalone: boolean;
      readonly tip: LedgerTip;
      readonly baseFeeDrops: number;
      /** What a transaction costs now to get into the open ledger. */
      readonly openLedgerFeeDrops: number;
      /** How many transactions, of everybody, the open ledger takes before its fee rises. */
      readonly expectedLedgerSize: number;
      /** Null where the servers do not tell. */
      readonly reserve: LedgerReserve | null;
    };

/** What an account must keep, and cannot spend but on fees. */
export interface LedgerReserve {
  readonly baseDrops: number;
  /** For each object of the ledger that it owns. */
  readonly perObjectDrops: number;
}

/** One server, named without credentials: its newest validated ledger, or why it is not used. */
export interface LedgerServer {
  readonly name: string;
  readonly state: 'connecting' | 'lost' | 'refused' | 'ready';
  readonly tip: LedgerTip | null;
  readonly reason: string | null;
}

/** A validated ledger by name, and when it closed. */
export interface LedgerTip {
  readonly index: number;
  readonly hash: string;
  /** Seconds since 2000-01-01T00:00:00Z, later than of any ledger before it in its chain. */
  readonly closeTime: number;
}

export interface LedgerRange {
  readonly minLedger: number;
  readonly maxLedger: number;
}

export interface ValidatedLedger extends LedgerTip {
  readonly parentHash: string;
  /** Binary ledger header, upper-case hex; its hash was checked to be `hash`. */
  readonly header: string;
  /** All of them: their tree was checked against the header. */
  readonly transactions: readonly LedgerTransaction[];
}

/** A transaction as a validated ledger holds it; blob and metadata in upper-case hex. */
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
  /** The oldest ledger that the server could have looked in: of older ones nothing is known. */
  readonly searchedFrom: number;
  /** Where the next, older page begins; null after the last one. */
  readonly next: HistoryMarker | null;
}

/** As the server gave it. */
export type HistoryMarker = object;

/** A transaction in a validated ledger, whatever its result. */
export interface SentTransaction {
  readonly hash: string;
  /** Upper-case hex. */
  readonly blob: string;
  readonly ledgerIndex: number;
  /** `tesSUCCESS` or a `tec` code. */
  readonly engineResult: string;
  /** Null where it used a ticket instead, which may be of any time. */
  readonly sequence: number | null;
  readonly feeDrops: number;
  /** Null where it has none. */
  readonly lastLedgerSequence: number | null;
  readonly memos: readonly LedgerMemo[];
}

export interface LedgerAccount {
  /** The Sequence of the next transaction that can be applied. */
  readonly sequence: number;
  readonly balanceDrops: bigint;
  /** May sign instead of the master key; null if there is none. */
  readonly regularKey: string | null;
  readonly masterKeyDisabled: boolean;
  /** How many objects of the ledger it owns: each raises its reserve. */
  readonly ownedObjects: number;
}

/** `engineResult` such as tesSUCCESS or terPRE_SEQ; for a malformed request the server's error code. */
export interface SubmitAnswer {
  readonly engineResult: string;
  readonly message: string;
}
