import { openCheckpoint, readCheckpoint } from '../../src/domain/log/checkpoint.ts';
import type { NoteVerifier } from '../../src/domain/log/note-key.ts';
import type { LogStorage } from '../../src/storage/contract.ts';
import type { AnchorAudit } from './anchor-audit.ts';
import type { Tell, TellLost } from './fault.ts';
import { LogAudit, type NamedCheckpoint } from './log-audit.ts';
import { LogEpochs } from './log-epochs.ts';
import { isOfHistory, readHistory } from './log-history.ts';
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
  readonly tell: Tell;
  readonly tellLost?: TellLost;
  readonly onPosition?: (position: number) => void;
}): Promise<{
  readonly events: number;
  readonly root: string;
  /** The size of the published checkpoint that it was held against; null: none was. */
  readonly publishedSize: number | null;
}> {
  const { file, published, trusted, anchors, tell, tellLost = () => {}, onPosition } = options;
  const note = (await published?.readCheckpoint()) ?? null;
  const checkpoint = note === null ? null : readCheckpoint(note);
  if (note !== null && trusted !== null && openCheckpoint(note, trusted).status !== 'verified') {
    const what = 'the published one is not signed by a known key of the log';
    tell({ in: 'checkpoints', position: null, column: null, what });
  }
  // Faults are told where the lines are gone through.
  const history = await readHistory(readExport(file, () => {}, isOfHistory));
  const epochs = LogEpochs.of(history);
  const name = 'the published checkpoint';
  const standing = (checkpoint && epochs?.judge(checkpoint)) ?? compared;
  if (standing.status === 'lost') tellLost(`${name}: ${standing.what}`);
  if (standing.status === 'wrong') {
    tell({ in: 'checkpoints', position: null, column: null, what: `${name}: ${standing.what}` });
  }
  const tiled = standing.status === 'compared' ? checkpoint : null;
  const log = new LogAudit({
    checkpoints: one(tiled && { ...tiled, name }),
    tiles: published && tiled && new TileAudit(published, tiled, tell),
    history,
    tell,
  });
  try {
    for await (const row of readExport(file, tell)) {
      await log.add(row);
      await anchors.add(row, log);
      onPosition?.(row.position);
    }
    await log.end(null);
    const publishedSize = tiled?.size ?? null;
    return { events: log.position, root: log.root().toString('hex'), publishedSize };
  } finally {
    log.close();
  }
}

const compared = { status: 'compared' } as const;

async function* one(checkpoint: NamedCheckpoint | null): AsyncGenerator<NamedCheckpoint> {
  if (checkpoint !== null) yield checkpoint;
}
