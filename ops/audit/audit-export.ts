import {
  type Checkpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { NoteVerifier } from '../../src/transparency-log/checkpoint/note-key.ts';
import type { LogStorage } from '../../src/transparency-log/published/contract.ts';
import type { AnchorAudit } from './anchor-audit.ts';
import type { LogReport } from './audit-log.ts';
import type { Findings } from './findings.ts';
import { KnownKeys } from './known-keys.ts';
import { LogAudit, type NamedCheckpoint } from './log-audit.ts';
import { LogEpochs } from './log-epochs.ts';
import { isOfHistory, readHistory } from './log-history.ts';
import { announcing, compareOutside, type ReadOutside } from './outside-checkpoint.ts';
import { readExport } from './read-export.ts';
import { restoresOf } from './restores.ts';
import { TileAudit } from './tile-audit.ts';

interface AuditedExport {
  readonly file: string;
  readonly published: Pick<LogStorage, 'readCheckpoint' | 'readTile'> | null;
  readonly trusted: readonly NoteVerifier[] | null;
  readonly anchors: AnchorAudit;
  /** Absent: only the export and the published log are compared. */
  readonly readOutside?: ReadOutside;
  readonly findings: Findings;
  readonly onPosition?: (position: number) => void;
}

interface ExportAudited extends LogReport {
  /** Size of the published checkpoint that the export was compared with; null without one. */
  readonly publishedSize: number | null;
}

/**
 * Audits an export without its database: leaves, stream versions, ids, and the tree against the
 * published part of the log and the checkpoints from outside. Returns the number of events and their root hash; null if the file
 * cannot be read.
 */
export async function auditExport(audited: AuditedExport): Promise<ExportAudited | null> {
  const { file, published, trusted, findings, readOutside = async () => [] } = audited;
  const known = trusted && new KnownKeys(trusted);
  const checkpoint = await findings.attempt(
    { in: 'checkpoints', what: name },
    () => readPublished(audited, known),
    null,
  );
  // Faults are reported in the later pass over the lines.
  const history = await findings.attempt(
    { in: 'events', what: 'the export' },
    () => readHistory(readExport(file, () => {}, isOfHistory)),
    null,
  );
  if (history === null) return null;
  const standing = (checkpoint && LogEpochs.of(history)?.judge(checkpoint)) ?? compared;
  if (standing.status === 'lost') findings.reportLost(`${name}: ${standing.what}`);
  if (standing.status === 'wrong') reportCheckpointFault(findings, `${name}: ${standing.what}`);
  const tiled = standing.status === 'compared' ? checkpoint : null;
  const outside = await readOutside(history, known);
  const log = new LogAudit({
    checkpoints: one(tiled && { ...tiled, name }),
    tiles: published && tiled && new TileAudit(published, tiled, findings),
    history: announcing(history, outside),
    findings,
  });
  try {
    const isWhole = await findings.attempt(
      { in: 'events', what: () => `the events after position ${log.position} of the export` },
      () => readThrough(audited, log),
      false,
    );
    if (isWhole) await log.end(null);
    compareOutside(outside, { log, isWhole, findings });
    const publishedSize = tiled?.size ?? null;
    const root = log.root().toString('hex');
    return { events: log.position, root, restores: restoresOf(history), publishedSize };
  } finally {
    log.close();
  }
}

const name = 'the published checkpoint';
const compared = { status: 'compared' } as const;

async function readThrough(
  { file, anchors, findings, onPosition }: AuditedExport,
  log: LogAudit,
): Promise<true> {
  for await (const row of readExport(file, findings.reportFault)) {
    await log.add(row);
    await anchors.add(row, log);
    onPosition?.(row.position);
  }
  return true;
}

/** Null if there is no readable checkpoint, or if none was requested. */
async function readPublished(
  { published, findings }: AuditedExport,
  known: KnownKeys | null,
): Promise<Checkpoint | null> {
  if (published === null) return null;
  const note = await published.readCheckpoint();
  if (note === null) {
    const what = `${name}: none was found at the address of --log. Give the address of the log that was exported`;
    findings.reportUnchecked({ in: 'checkpoints', position: null, column: null, what });
    return null;
  }
  const checkpoint = readCheckpoint(note);
  if (checkpoint === null) reportCheckpointFault(findings, `${name} is not a valid checkpoint`);
  else if (known?.hasSigned(note) === false) {
    reportCheckpointFault(findings, `${name} is not signed with any key given with --key`);
  }
  return checkpoint;
}

function reportCheckpointFault({ reportFault }: Findings, what: string): void {
  reportFault({ in: 'checkpoints', position: null, column: null, what });
}

async function* one(checkpoint: NamedCheckpoint | null): AsyncGenerator<NamedCheckpoint> {
  if (checkpoint !== null) yield checkpoint;
}
