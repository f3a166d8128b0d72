import type { LogState } from '../../domain/log/state.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import { type LogReading, loadLog } from '../../loading/load-log.ts';
import { type AnchoredLog, compareAnchored } from './compare-anchored.ts';
import { comparePublished } from './compare-published.ts';
import { compareSent, type SentTransactions } from './compare-sent.ts';
import type { ComparedLog } from './compared-log.ts';
import { reasonInWords } from './reason-in-words.ts';
import type { Agrees, Difference, HistoryEnds, RestoreUnfinished, Verdicts } from './verdict.ts';

/**
 * Traces of the log outside of the database, which are not restored with it, by their kind. Each is
 * given with the parts of the database to compare.
 */
export interface Traces {
  /** Published checkpoints and tiles, and the submission marks. */
  readonly publishing: ComparedLog;
  /** Checkpoints in validated ledgers of one network. */
  readonly anchoring: AnchoredLog;
  /** All transactions of our accounts on one network. */
  readonly sending: SentTransactions;
}

/** Verdict on whether this database is the log that left the traces. */
export type Verdict<Of extends keyof Traces = keyof Traces> = Verdicts[Of];

type Comparisons = { readonly [Of in keyof Traces]: (traces: Traces[Of]) => Promise<Verdict<Of>> };

const comparisons: Comparisons = {
  publishing: comparePublished,
  anchoring: compareAnchored,
  sending: compareSent,
};

/**
 * Checks whether the database is the log that left these traces. Rejects with
 * - `StoreUnavailable`, `StorageUnavailable`, `LedgerUnavailable` if one of them does not answer;
 * - `NotAsWritten` if the storage holds a file that this service did not write;
 * - `OtherLedger` or `UnrecognisedLedger` if the servers show another ledger than the log knows.
 */
export function check<Of extends keyof Traces>(of: Of, traces: Traces[Of]): Promise<Verdict<Of>> {
  return comparisons[of](traces);
}

/** Differences that indicate a restored backup. */
const restoredCopies: ReadonlySet<Verdict['status']> = new Set([
  'shorter',
  'forked',
  'older-epoch',
  'behind',
]);

/**
 * Requires agreement, and returns the newest trace. Throws `LogUnconfirmed`. With `mayBeCopy`, a
 * restored backup is accepted as null: `log restored` has still to open its new epoch.
 */
export function requireAgreement<Last>(
  verdict: Agrees<Last> | Difference | HistoryEnds,
  { mayBeCopy = false }: { readonly mayBeCopy?: boolean } = {},
): Last | null {
  if (verdict.status === 'agrees') return verdict.last;
  if (mayBeCopy && restoredCopies.has(verdict.status)) return null;
  throw new LogUnconfirmed(verdict);
}

/** Refuses the verdict with `LogUnconfirmed` if it has this status; returns any other verdict. */
export function refuse<Of extends Verdict, Status extends (Difference | HistoryEnds)['status']>(
  status: Status,
  verdict: Of,
): Exclude<Of, { readonly status: Status }> {
  const { status: found } = verdict;
  if (verdict.status !== 'agrees' && found === status) throw new LogUnconfirmed(verdict);
  // The compiler does not narrow a type parameter by its status.
  return verdict as Exclude<Of, { readonly status: Status }>;
}

/**
 * Requires that no restore is unfinished, and returns the state of the log; null if none was opened.
 * Throws `LogUnconfirmed`. A log whose epoch was opened agrees with its published checkpoints, but
 * may have forgotten transactions until it is reconciled.
 */
export async function requireRestored(store: LogReading): Promise<LogState | null> {
  const state = (await loadLog(store))?.state ?? null;
  const restoring = state?.restoring ?? null;
  if (restoring === null) return state;
  throw new LogUnconfirmed({ status: 'restore-unfinished', epoch: restoring.epoch });
}

/**
 * The database is not confirmed as the log that left the traces: nothing may be appended, signed or
 * published. The message tells the operator what to do.
 */
export class LogUnconfirmed extends OperatorError {
  readonly reason: Difference | HistoryEnds | RestoreUnfinished;

  constructor(reason: LogUnconfirmed['reason']) {
    super(reasonInWords(reason));
    this.name = nameInLogs(reason);
    this.reason = reason;
  }

  /** False if a later check may confirm the log: then the servers lack history. */
  get isFinal(): boolean {
    return this.reason.status !== 'history-ends';
  }
}

/** Type of the error in log lines, for which operators may search. */
function nameInLogs({ status }: LogUnconfirmed['reason']): string {
  if (status === 'history-ends') return 'HistoryTooShort';
  return status === 'restore-unfinished' ? 'RestoreUnfinished' : 'LogDiffers';
}
