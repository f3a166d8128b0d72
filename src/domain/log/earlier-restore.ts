import type { CheckpointMemo } from './checkpoint-memo.ts';
import type { EarlierRestore, LogRestored } from './events.ts';

/** Last known checkpoint of each epoch, by epoch. */
export type LastOfEpochs = ReadonlyMap<number, CheckpointMemo>;

/** Restores that are named at most; the oldest ones are left out. */
export const mostNamedRestores = 1_000;

/** No checkpoint of an epoch is known. */
export const noCheckpoints: LastOfEpochs = new Map();

/**
 * All restores before the one that begins `epoch`, by epoch.
 * @param recorded the restores that the log records, in order
 * @param known checkpoints of epochs whose restore the log does not record
 */
export function earlierRestores(
  epoch: number,
  recorded: readonly LogRestored['data'][],
  known: { readonly published: LastOfEpochs; readonly anchored: LastOfEpochs },
): readonly EarlierRestore[] {
  const named = new Map<number, EarlierRestore>();
  for (const restored of recorded) {
    for (const one of restored.earlier) named.set(one.epoch, one);
    named.set(restored.epoch, asEarlier(restored));
  }
  const first = Math.max(2, epoch - mostNamedRestores);
  return Array.from({ length: Math.max(0, epoch - first) }, (_, n) => {
    const began = first + n;
    const published = known.published.get(began - 1) ?? null;
    const anchored = known.anchored.get(began - 1) ?? null;
    return named.get(began) ?? { epoch: began, keptSize: null, published, anchored };
  });
}

/** A recorded restore, as later ones name it. */
export function asEarlier({
  epoch,
  keptSize,
  published,
  anchored,
}: LogRestored['data']): EarlierRestore {
  return { epoch, keptSize, published, anchored: anchored && memoOnly(anchored) };
}

function memoOnly({ origin, size, rootHash }: CheckpointMemo): CheckpointMemo {
  return { origin, size, rootHash };
}
