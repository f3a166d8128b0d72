import { compareLog, type LogFinding } from './compare-log.ts';
import type { ComparedLog } from './compared-log.ts';
import { LogDiffers } from './log-differs.ts';

/** Findings that indicate a restored backup. */
const copies: ReadonlySet<LogFinding['status']> = new Set([
  'shorter',
  'forked',
  'older-epoch',
  'behind',
]);

/**
 * Requires the database to hold the log that was published: every process that appends calls this
 * before anything else, and appends nothing where it rejects. Rejects with `LogDiffers`, and with
 * `StorageUnavailable` or `StoreUnavailable` where the comparison cannot be made. `mayBeCopy` allows a
 * restored backup that `log restored` has still to take up.
 */
export async function requireLog(
  compared: ComparedLog,
  { mayBeCopy = false }: { readonly mayBeCopy?: boolean } = {},
): Promise<void> {
  const finding = await compareLog(compared);
  if (finding.status === 'agrees' || (mayBeCopy && copies.has(finding.status))) return;
  throw new LogDiffers(finding);
}
