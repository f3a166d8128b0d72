import type { CheckpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import { asEarlier, mostNamedRestores } from '../../../src/domain/log/earlier-restore.ts';
import type { EarlierRestore } from '../../../src/domain/log/events.ts';
import { epochOf } from '../../../src/domain/log/origin.ts';
import type { LogHistory, Restore } from './log-history.ts';

/** A restore whose event contradicts the events of earlier restores. */
export interface WrongRestore {
  readonly position: number;
  readonly what: string;
}

/**
 * Restores that do not name every restore before them, or name one otherwise than the log records it.
 * Checkpoints that a restore names count as lost, so a wrong name could excuse any of them.
 */
export function wrongRestores({ restores }: Pick<LogHistory, 'restores'>): readonly WrongRestore[] {
  const recorded = new Map<number, Recorded>();
  return restores.flatMap((restore) => {
    const { position, data } = restore;
    const found = restore.namesEarlier ? reasonsAgainst(restore, recorded) : [];
    for (const one of data.earlier) recorded.set(one.epoch, { position, restore: one });
    recorded.set(data.epoch, { position, restore: asEarlier(data) });
    return found.map((reason) => ({ position, what: `earlier: ${reason}` }));
  });
}

/** A restore as an event records or names it. */
interface Recorded {
  /** Position of that event. */
  readonly position: number;
  readonly restore: EarlierRestore;
}

const mostListed = 10;

function reasonsAgainst(
  { data: { epoch: began, earlier } }: Restore,
  recorded: ReadonlyMap<number, Recorded>,
): readonly string[] {
  const named = new Map(earlier.map((one) => [one.epoch, one]));
  const first = Math.max(2, began - mostNamedRestores);
  const reasons: string[] = [];
  const missing: number[] = [];
  for (let epoch = first; epoch < began; epoch += 1) {
    const [one, known] = [named.get(epoch), recorded.get(epoch)];
    if (known !== undefined && (one === undefined || !isSame(one, known.restore))) {
      reasons.push(
        `the restore that began epoch ${epoch} is not named as the event at position ${known.position} records it`,
      );
    } else if (one === undefined) missing.push(epoch);
    else if (known === undefined && !isOfLost(one)) {
      reasons.push(
        `the restore that began epoch ${epoch} is named with more than is known of a lost epoch`,
      );
    }
  }
  const others = earlier.filter(({ epoch }) => epoch < first || epoch >= began);
  if (missing.length > 0) {
    reasons.push(`the restores that began these epochs are not named: ${inWords(missing)}`);
  }
  if (others.length > 0 || named.size < earlier.length) {
    const epochs = others.map(({ epoch }) => epoch);
    reasons.push(
      others.length > 0
        ? `restores are named that were not before epoch ${began}: ${inWords(epochs)}`
        : 'a restore is named twice',
    );
  }
  return reasons;
}

/** The service knows only checkpoints of the epoch that such a restore ended. */
function isOfLost({ epoch, keptSize, published, anchored }: EarlierRestore): boolean {
  const isOfEnded = (one: CheckpointMemo | null) =>
    one === null || epochOf(one.origin) === epoch - 1;
  return keptSize === null && isOfEnded(published) && isOfEnded(anchored);
}

function isSame(one: EarlierRestore, other: EarlierRestore): boolean {
  return (
    one.keptSize === other.keptSize &&
    isSameMemo(one.published, other.published) &&
    isSameMemo(one.anchored, other.anchored)
  );
}

function isSameMemo(one: CheckpointMemo | null, other: CheckpointMemo | null): boolean {
  return (
    one?.origin === other?.origin && one?.size === other?.size && one?.rootHash === other?.rootHash
  );
}

function inWords(epochs: readonly number[]): string {
  const listed = epochs.slice(0, mostListed).join(', ');
  const more = epochs.length - mostListed;
  return more > 0 ? `${listed} and ${more} more` : listed;
}
