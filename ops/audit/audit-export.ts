import { openCheckpoint, readCheckpoint } from '../../src/domain/log/checkpoint.ts';
import type { NoteVerifier } from '../../src/domain/log/note-key.ts';
import type { LogStorage } from '../../src/storage/contract.ts';
import type { AnchorAudit } from './anchor-audit.ts';
import type { AnchoredCheckpoints } from './anchored-checkpoints.ts';
import type { Tell } from './fault.ts';
import { LogAudit, type NamedCheckpoint } from './log-audit.ts';
import { readExport } from './read-export.ts';
import { TileAudit } from './tile-audit.ts';

/**
 * Audits an export without the database that it is from: leaves, stream versions, ids, and the tree
 * against what is published of the log, as far as that goes. Returns how many events there are, and
 * the root over them, in hex.
 */
export async function auditExport(options: {
  readonly file: string;
  readonly published: Pick<LogStorage, 'readCheckpoint' | 'readTile'> | null;
  readonly trusted: readonly NoteVerifier[] | null;
  readonly anchors: AnchorAudit;
  readonly anchoredCheckpoints?: AnchoredCheckpoints;
  readonly tell: Tell;
  readonly onPosition?: (position: number) => void;
}): Promise<{ readonly events: number; readonly root: string }> {
  const { file, published, trusted, anchors, anchoredCheckpoints, tell, onPosition } = options;
  const note = (await published?.readCheckpoint()) ?? null;
  const checkpoint = note === null ? null : readCheckpoint(note);
  if (note !== null && trusted !== null && openCheckpoint(note, trusted).status !== 'verified') {
    const what = 'the published one is not signed by a known key of the log';
    tell({ in: 'checkpoints', position: null, column: null, what });
  }
  const log = new LogAudit({
    checkpoints: one(checkpoint && { ...checkpoint, name: 'the published checkpoint' }),
    tiles: published && checkpoint && new TileAudit(published, checkpoint, tell),
    tell,
  });
  try {
    // A checkpoint is requested after the events that it covers: which ones is read before.
    if (anchoredCheckpoints) {
      const silently = () => {};
      const isRequest = (line: string) => line.includes('"CheckpointRequested"');
      for await (const row of readExport(file, silently, isRequest))
        anchoredCheckpoints.expect(row);
    }
    for await (const row of readExport(file, tell)) {
      await log.add(row);
      await anchors.add(row);
      await anchoredCheckpoints?.add(row, log);
      onPosition?.(row.position);
    }
    await log.end(null);
    return { events: log.position, root: log.root().toString('hex') };
  } finally {
    log.close();
  }
}

async function* one(checkpoint: NamedCheckpoint | null): AsyncGenerator<NamedCheckpoint> {
  if (checkpoint !== null) yield checkpoint;
}
