import { type AnchoredLog, compareAnchored } from './compare-anchored.ts';
import { comparePublished } from './compare-published.ts';
import { compareSent, type SentTransactions } from './compare-sent.ts';
import type { ComparedLog } from './compared-log.ts';
import { HistoryTooShort } from './history-too-short.ts';
import { LogDiffers } from './log-differs.ts';
import type { Agrees, Difference, HistoryEnds, Verdict, Verdicts } from './verdict.ts';

/** Traces of the log outside of the database, which are not restored with it. */
export type Traces =
  /** Published checkpoints and tiles, and the submission marks. */
  | ({ readonly of: 'publishing' } & ComparedLog)
  /** Checkpoints in validated ledgers of one network. */
  | ({ readonly of: 'anchoring' } & AnchoredLog)
  /** All transactions of our accounts on one network. */
  | ({ readonly of: 'sending' } & SentTransactions);

/**
 * Checks whether the database is the log that left these traces. Rejects with
 * - `StoreUnavailable`, `StorageUnavailable`, `LedgerUnavailable` if one of them does not answer;
 * - `NotAsWritten` if the storage holds a file that this service did not write;
 * - `OtherLedger` or `UnrecognisedLedger` if the servers show another ledger than the log knows.
 */
export function checkTraces<Kind extends Traces['of']>(
  traces: Extract<Traces, { readonly of: Kind }>,
): Promise<Verdicts[Kind]>;
export function checkTraces(traces: Traces): Promise<Verdict> {
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
 * Requires agreement, and returns the newest trace. Throws `LogDiffers` or `HistoryTooShort`. With
 * `mayBeCopy`, a restored backup is accepted as null: `log restored` has still to open its new
 * epoch.
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
