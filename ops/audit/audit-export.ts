import {
  type Checkpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { LogStorage } from '../../src/transparency-log/published/contract.ts';
import type { ReadKey } from '../../src/verifier/log/note-key.ts';
import { printable } from '../terminal/printable.ts';
import type { AnchorAudit } from './anchors/anchor-audit.ts';
import { TimestampAudit, timestampTypes } from './anchors/timestamp-audit.ts';
import { KnownKeys } from './checkpoints/known-keys.ts';
import type { NamedCheckpoint } from './checkpoints/named-checkpoint.ts';
import { readExport } from './export/read-export.ts';
import type { Fault } from './findings/fault.ts';
import type { Findings } from './findings/findings.ts';
import { LogEpochs } from './history/log-epochs.ts';
import { isOfHistory, readHistory } from './history/log-history.ts';
import type { LogReport } from './log/audit-log.ts';
import { auditRestores } from './log/audit-restores.ts';
import { LogAudit } from './log/log-audit.ts';
import { announcing, compareOutside, type ReadOutside } from './outside/outside-checkpoint.ts';
import { ReferenceAudit, referenceTypes } from './streams/reference-audit.ts';
import { TileAudit } from './tree/tile-audit.ts';

interface AuditedExport {
  readonly file: string;
  readonly published: Pick<LogStorage, 'readCheckpoint' | 'readTile'> | null;
  readonly trusted: readonly ReadKey[] | null;
  readonly anchors: AnchorAudit;
  /** Certificates (DER) of time-stamping authorities that the auditor trusts; null or absent: none. */
  readonly authorities?: readonly Uint8Array[] | null;
  /** Absent: only the export and the published log are compared. */
  readonly readOutside?: ReadOutside;
  readonly findings: Findings;
  readonly onPosition?: (position: number) => void;
}

/**
 * Audits an export without its database: leaves, stream versions, ids, and the tree against the
 * published part of the log and the checkpoints from outside. Returns the number of events and their root hash; null if the file
 * cannot be read.
 */
export async function auditExport(audited: AuditedExport): Promise<LogReport | null> {
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
  const references = new ReferenceAudit(findings);
  const timestamps = new TimestampAudit({ roots: audited.authorities ?? null, findings });
  const log = new LogAudit({
    checkpoints: one(tiled && { ...tiled, name }),
    tiles: published && tiled && new TileAudit(published, tiled, findings),
    history: announcing(history, outside),
    mayEndEarly: true,
    findings,
  });
  try {
    const isWhole = await findings.attempt(
      { in: 'events', what: () => `the events after position ${log.position} of the export` },
      () => readThrough(audited, log, { references, timestamps }),
      false,
    );
    if (isWhole) await log.end(null);
    references.end();
    const beyond = compareOutside(outside, { log, isWhole, findings, mayEndEarly: true });
    const publishedSize = tiled?.size ?? null;
    if (isWhole) reportLater(findings, log.position, Math.max(beyond.size, publishedSize ?? 0));
    const later = standing.status === 'later' && checkpoint ? [checkpoint.origin] : [];
    reportLaterEpochs(findings, log.position, new Set([...later, ...beyond.origins]));
    const root = log.root().toString('hex');
    const origin = LogEpochs.of(history)?.origin ?? null;
    const restores = auditRestores(history, findings);
    return { events: log.position, root, restores, origin, publishedSize };
  } finally {
    log.close();
    references.close();
  }
}

/** An export may be older than the published checkpoint, or it may have been cut. */
function reportLater({ reportUnchecked }: Findings, last: number, known: number): void {
  if (known <= last) return;
  const later = known === last + 1 ? `event ${known}` : `events ${last + 1} to ${known}`;
  const what = `the export ends at event ${last}, but checkpoints cover ${later} too. Run audit export again to add them`;
  reportUnchecked({ in: 'events', position: last + 1, column: null, what });
}

/** An export may be older than a restore, or it may have been cut. */
function reportLaterEpochs(findings: Findings, last: number, origins: ReadonlySet<string>): void {
  for (const origin of origins) {
    const what = `the checkpoints of ${printable(origin)}: the restore that began this epoch is after event ${last}, with which the export ends. Run audit export again to compare them`;
    findings.reportUnchecked({ in: 'checkpoints', position: null, column: null, what });
  }
}

const name = 'the published checkpoint';
const compared = { status: 'compared' } as const;

async function readThrough(
  { file, anchors, findings, onPosition }: AuditedExport,
  log: LogAudit,
  {
    references,
    timestamps,
  }: { readonly references: ReferenceAudit; readonly timestamps: TimestampAudit },
): Promise<true> {
  const skip = (fault: Fault) => log.skipLine(findings.reportFault(fault));
  for await (const row of readExport(file, skip)) {
    await log.add(row);
    await anchors.add(row, log);
    if (timestampTypes.has(row.type)) await timestamps.add(row, log);
    if (referenceTypes.has(row.type)) await references.add(row);
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
