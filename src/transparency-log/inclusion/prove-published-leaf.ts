import { readCheckpoint } from '../checkpoint/checkpoint.ts';
import type { PublishedCheckpoint } from '../published/published-checkpoints.ts';
import type { CheckpointChoice } from './checkpoint-choice.ts';
import { type PlacedLeaf, type ProvingDeps, proveLeaf } from './prove-event.ts';

export interface PublishedLeafDeps extends Pick<ProvingDeps, 'published' | 'db'> {
  readonly checkpoints: Pick<CheckpointChoice, 'newest'>;
}

/** Evidence that a leaf is in the published log, without the content that it commits to. */
export interface PublishedLeaf extends PlacedLeaf {
  readonly checkpoint: PublishedCheckpoint;
}

/**
 * Proves that the leaf at an index is in the tree of the newest checkpoint. Null if that tree does
 * not reach so far. Rejects as `proveLeaf`.
 */
export async function provePublishedLeaf(
  deps: PublishedLeafDeps,
  index: number,
): Promise<PublishedLeaf | null> {
  const checkpoint = await deps.checkpoints.newest();
  if (checkpoint === null || index >= checkpoint.size) return null;
  const tree = readCheckpoint(checkpoint.note);
  if (tree === null) throw new Error(`checkpoint ${checkpoint.number} is malformed`);
  return { ...(await proveLeaf(deps, index, tree)), checkpoint };
}
