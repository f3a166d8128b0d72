import { type AnchoredLog, compareAnchored } from './compare-anchored.ts';
import { comparePublished } from './compare-published.ts';
import { compareSent, type SentTransactions } from './compare-sent.ts';
import type { ComparedLog } from './compared-log.ts';
import { HistoryTooShort } from './history-too-short.ts';
import { LogDiffers } from './log-differs.ts';
import type { Agrees, Difference, HistoryEnds, Verdict, Verdicts } from './verdict.ts';

/** Traces of the log outside of the database: they do not go back with it. */
export type Traces =
  /** Published checkpoints and tiles, and the marks of what was submitted. */
  | ({ readonly of: 'publishing' } & ComparedLog)
  /** Checkpoints in validated ledgers of one network. */
  | ({ readonly of: 'anchoring' } & AnchoredLog)
  /** All transactions that our accounts have sent on one network. */
  | ({ readonly of: 'sending' } & SentTransactions);

/**
 * Checks whether the database is the log that left these traces. Rejects with `StoreUnavailable`,
 * `StorageUnavailable`, `LedgerUnavailable` where one of them cannot be asked, with `NotAsWritten` where
 * the storage holds what this service does not write, and with `OtherLedger` or `UnrecognisedLedger` where
 * the servers show another ledger than the log knows.
 */
export function check<Kind extends Traces['of']>(
  traces: Extract<Traces, { readonly of: Kind }>,
): Promise<Verdicts[Kind]>;
export function check(traces: Traces): Promise<Verdict> {
  switch (traces.of) {
    case 'publishing':
      return comparePublished(traces);
    case 'anchoring':
      return compareAnchored(traces);
    case 'sending':
      return compareSent(traces);
  }
}

/** Differences that indicate a restored backup. */
const restoredCopies: ReadonlySet<Difference['status']> = new Set([
  'shorter',
  'forked',
  'older-epoch',
  'behind',
]);

/**
 * Requires agreement, and resolves with the newest trace. Throws `LogDiffers` or `HistoryTooShort`.
 * `mayBeCopy` allows a restored backup that `log restored` has still to take up.
 */
export function requireAgreement<Last>(
  verdict: Agrees<Last> | Difference | HistoryEnds,
  { mayBeCopy = false }: { readonly mayBeCopy?: boolean } = {},
): Last | null {
  if (verdict.status === 'agrees') return verdict.last;
  if (verdict.status === 'history-ends') throw new HistoryTooShort(verdict);
  if (mayBeCopy && restoredCopies.has(verdict.status)) return null;
  throw new LogDiffers(verdict);
}
