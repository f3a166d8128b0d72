import type { EarlierRestore } from '../../../src/domain/log/events.ts';
import type { LogHistory, Restore } from './log-history.ts';

/** A restore that began an epoch, and the events that were lost then. */
export interface RestoreReport {
  readonly epoch: number;
  /** Position of the event that records it; null if a later restore lost that event too. */
  readonly position: number | null;
  /** Number of events that were kept; null if unknown. */
  readonly keptSize: number | null;
  /** Least number of lost events, as far as checkpoints and marks show; null if unknown. */
  readonly lostEvents: number | null;
}

/**
 * All restores of a log, by epoch. The event of an epoch that has no event of its own was lost by a later
 * restore, which may name it.
 */
export function restoresOf({ restores }: Pick<LogHistory, 'restores'>): readonly RestoreReport[] {
  const found: RestoreReport[] = [];
  for (const restore of restores) {
    const before = found.at(-1)?.epoch ?? 1;
    const unrecorded = Math.min(restore.data.epoch - before - 1, mostUnrecorded);
    for (let n = 1; n <= unrecorded; n += 1) found.push(unrecordedOf(before + n, restore));
    found.push(reportOf(restore));
  }
  return found;
}

export function restoreInWords({ epoch, position, keptSize, lostEvents }: RestoreReport): string {
  if (position === null) {
    const lost = `epoch ${epoch} and the event that records its restore are lost`;
    return lostEvents === null || lostEvents === 0
      ? lost
      : `${lost}. At least ${lostEvents} events of the epoch before it are lost`;
  }
  const began = `the restore at position ${position} began epoch ${epoch} with the first ${keptSize} events`;
  return lostEvents === 0
    ? `${began}. No checkpoint shows more`
    : `${began}. At least ${lostEvents} later events are lost`;
}

/** A damaged event may state any epoch. */
const mostUnrecorded = 1_000;

function unrecordedOf(epoch: number, { data }: Restore): RestoreReport {
  const named = data.earlier.find((one) => one.epoch === epoch);
  const lostEvents = named === undefined ? null : lostBefore(named, data.keptSize);
  return { epoch, position: null, keptSize: named?.keptSize ?? null, lostEvents };
}

/** Null if no checkpoint of the ended epoch is known. */
function lostBefore(
  { keptSize, published, anchored }: EarlierRestore,
  keptLater: number,
): number | null {
  if (published === null && anchored === null) return null;
  const known = Math.max(published?.size ?? 0, anchored?.size ?? 0);
  return Math.max(0, known - (keptSize ?? keptLater));
}

function reportOf({ position, data }: Restore): RestoreReport {
  const { epoch, keptSize, published, anchored, reached } = data;
  const known = [published?.size, anchored?.size, reached].map((size) => size ?? 0);
  const lostEvents = Math.max(0, Math.max(...known) - keptSize);
  return { epoch, position, keptSize, lostEvents };
}
