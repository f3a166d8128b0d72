import type { LeafInput } from '../../domain/log/leaf-input.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import { readCheckpoint } from '../checkpoint/checkpoint.ts';
import type { LogStorage } from '../publish/contract.ts';
import {
  type CheckpointHistory,
  lastPublished,
  type PublishedCheckpoint,
} from '../publish/published-checkpoints.ts';
import { proveInclusion, verifyInclusion } from '../tree/inclusion-proof.ts';
import { tileNodes } from '../tree/tile-nodes.ts';
import { readPublishedTile } from './read-published-tile.ts';

export interface ProvingDeps {
  readonly leaves: Pick<Leaves, 'readInput'>;
  readonly published: Pick<LogStorage, 'readTile'>;
  readonly db: CheckpointHistory;
}

/** What shows that an event is in the log as it was published. */
export interface EventProof {
  /** What the leaf commits to. */
  readonly input: LeafInput;
  /** 32 bytes. */
  readonly leaf: Buffer;
  /** Of the leaf: the event's position less one. */
  readonly index: number;
  /** From the leaf up, 32 bytes each. */
  readonly hashes: readonly Buffer[];
  /** 32 bytes: what the hashes lead to, and the checkpoint states. */
  readonly root: Buffer;
  readonly checkpoint: PublishedCheckpoint;
}

/**
 * Proves that the event at a position is in the tree of a published checkpoint, which covers it. What
 * the storage holds is not trusted: throws where leaf, tiles and checkpoint do not agree. Rejects with
 * `Transient` where the tiles cannot be read.
 */
export async function proveEvent(
  { leaves, published, db }: ProvingDeps,
  position: number,
  checkpoint: PublishedCheckpoint,
): Promise<EventProof> {
  const { origin, size, note } = checkpoint;
  const index = position - 1;
  const found = await leaves.readInput(position);
  const root = readCheckpoint(note)?.root;
  if (found === null || root === undefined) throw new Error(`nothing to prove at ${position}`);
  const { leaf, ...input } = found;
  // Of a later tree of the same log, where that has come: what was complete in this one is the same.
  const newest = async () => {
    const last = await lastPublished(db);
    return last?.origin === origin ? last : checkpoint;
  };
  const read = tileNodes(size, async (tile) => {
    const bytes = await readPublishedTile(published, newest, tile);
    if (bytes === null) throw new Error(`the tree of ${origin} lacks ${JSON.stringify(tile)}`);
    return bytes;
  });
  const hashes = await proveInclusion(index, size, read);
  if (!verifyInclusion({ leaf, index, size, proof: hashes, root })) {
    throw new Error(`event ${position} is not the one that was published as part of ${origin}`);
  }
  return { input, leaf, index, hashes, root, checkpoint };
}
