import type { LeafInput } from '../../domain/log/leaf-input.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import { verifyInclusion } from '../../verifier/log/verify-inclusion.ts';
import { type Checkpoint, readCheckpoint } from '../checkpoint/checkpoint.ts';
import type { LogStorage } from '../published/contract.ts';
import {
  type CheckpointHistory,
  lastPublished,
  type PublishedCheckpoint,
} from '../published/published-checkpoints.ts';
import { proveInclusion } from '../tree/inclusion-proof.ts';
import { tileNodes } from '../tree/tile-nodes.ts';
import type { ReadNodes } from '../tree/tree-node.ts';
import type { CheckpointChoice } from './checkpoint-choice.ts';
import { readPublishedTile } from './read-published-tile.ts';

export interface ProvingDeps {
  readonly leaves: Pick<Leaves, 'readInput'>;
  readonly published: Pick<LogStorage, 'readTile'>;
  readonly db: CheckpointHistory;
}

/** Dependencies of proving under a checkpoint that is yet to be chosen. */
export interface ChoosingDeps extends ProvingDeps {
  readonly checkpoints: Pick<CheckpointChoice, 'covering'>;
}

/** Evidence that a leaf is in a tree of the published log. */
export interface PlacedLeaf {
  /** 32 bytes. */
  readonly leaf: Buffer;
  /** Index of the leaf: the event's position minus one. */
  readonly index: number;
  /** Hashes from the leaf up, 32 bytes each. */
  readonly hashes: readonly Buffer[];
  /** Root to which the hashes lead; 32 bytes. */
  readonly root: Buffer;
}

/** Evidence that an event is in a tree of the published log. */
export interface ProvenLeaf extends PlacedLeaf {
  /** Content that the leaf commits to. */
  readonly input: LeafInput;
}

/** Evidence that an event is in the published log: `root` is the one that the checkpoint states. */
export interface EventProof extends ProvenLeaf {
  readonly checkpoint: PublishedCheckpoint;
}

/**
 * Proves that the event at a position is in the tree of a published checkpoint that covers it.
 * Rejects as `proveInTree`.
 */
export async function proveEvent(
  deps: ProvingDeps,
  position: number,
  checkpoint: PublishedCheckpoint,
): Promise<EventProof> {
  const tree = readCheckpoint(checkpoint.note);
  if (tree === null) throw new Error(`nothing to prove at ${position}`);
  return { ...(await proveInTree(deps, position, tree)), checkpoint };
}

/**
 * Proves that the event at a position is in an earlier or the newest tree of the published log that
 * covers it. The tree of an earlier epoch is the beginning of the newest one, as far as this database
 * has its events. The storage is not trusted: rejects if leaf, tiles and root do not agree. Rejects
 * with `Unavailable` if the tiles cannot be read.
 */
export async function proveInTree(
  { leaves, published, db }: ProvingDeps,
  position: number,
  { origin, size, root }: Checkpoint,
): Promise<ProvenLeaf> {
  const found = await leaves.readInput(position);
  if (found === null) throw new Error(`nothing to prove at ${position}`);
  const { leaf, ...input } = found;
  const tree = { origin, size, root };
  const placed = await placeLeaf(position - 1, leaf, tree, nodesOf({ published, db }, tree));
  return { input, ...placed };
}

/**
 * Proves that the published leaf at an index is in the tree of a published checkpoint that covers it,
 * without reading the event. Rejects as `proveInTree`.
 */
export async function proveLeaf(
  deps: Pick<ProvingDeps, 'published' | 'db'>,
  index: number,
  tree: Checkpoint,
): Promise<PlacedLeaf> {
  const read = nodesOf(deps, tree);
  const [leaf] = await read([{ level: 0, index }]);
  if (leaf === undefined) throw new Error(`the tree of ${tree.origin} lacks leaf ${index}`);
  return placeLeaf(index, leaf, tree, read);
}

/** Proves that this leaf is at this index. Rejects if leaf, tiles and root do not agree. */
async function placeLeaf(
  index: number,
  leaf: Buffer,
  { origin, size, root }: Checkpoint,
  read: ReadNodes,
): Promise<PlacedLeaf> {
  const hashes = await proveInclusion(index, size, read);
  if (!verifyInclusion({ leaf, index, size, proof: hashes, root })) {
    const position = index + 1;
    throw new Error(`event ${position} is not the one that was published as part of ${origin}`);
  }
  return { leaf, index, hashes, root };
}

function nodesOf(
  { published, db }: Pick<ProvingDeps, 'published' | 'db'>,
  { origin, size }: Checkpoint,
): ReadNodes {
  // Read the newest tree, of the newest epoch: hashes that were complete in this tree never change.
  const newest = async () => {
    const last = await lastPublished(db);
    return last !== null && last.size >= size ? last : { origin, size };
  };
  return tileNodes(size, async (tile) => {
    const bytes = await readPublishedTile(published, newest, tile);
    if (bytes === null) throw new Error(`the tree of ${origin} lacks ${JSON.stringify(tile)}`);
    return bytes;
  });
}
