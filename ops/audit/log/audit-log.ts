import type { ReadKey } from '../../../src/verifier/log/note-key.ts';
import { auditCheckpoints, findOutOfOrder, lastNumber } from '../checkpoints/checkpoint-audit.ts';
import { KnownKeys } from '../checkpoints/known-keys.ts';
import type { NamedCheckpoint } from '../checkpoints/named-checkpoint.ts';
import { auditNewest, compareListed, underStorageUrl } from '../checkpoints/newest-checkpoint.ts';
import type { AuditedPart } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import { LogEpochs } from '../history/log-epochs.ts';
import { type LogHistory, ownRows, readHistory } from '../history/log-history.ts';
import type { RestoreReport } from '../history/restores.ts';
import { announcing, compareOutside } from '../outside/outside-checkpoint.ts';
import type { Queryable } from '../rows/read-rows.ts';
import { TileAudit } from '../tree/tile-audit.ts';
import { auditRestores } from './audit-restores.ts';
import type { AuditedLog } from './audited-log.ts';
import { LogAudit } from './log-audit.ts';
import { readThrough } from './read-through.ts';

const mostBeyond = 1_000;

export interface LogReport {
  readonly events: number;
  /** Hexadecimal, over the events as they are. */
  readonly root: string;
  readonly restores: readonly RestoreReport[];
  /** Name of the present epoch of the log; null if no event names it. */
  readonly origin: string | null;
  /** Size of the newest published checkpoint that was compared; null without one. */
  readonly publishedSize: number | null;
}

/**
 * Audits the stored log up to its present head: every row, the tree over all rows, every published
 * checkpoint and tile, the checkpoints from outside, stream versions, ids, and the row of the head. Returns the number of audited
 * events, their root (hexadecimal) and the restores. A part that cannot be read (undefined here) is a finding; the other parts are audited.
 */
export async function auditLog(audited: AuditedLog): Promise<LogReport> {
  const { database, published, findings, readOutside = async () => [] } = audited;
  const { place = underStorageUrl } = audited;
  const attempt = <Result>(part: AuditedPart, what: string, work: () => Promise<Result>) =>
    findings.attempt({ in: part, what }, work, undefined);
  const { trusted } = audited;
  const known =
    trusted &&
    ((await attempt('checkpoints', 'the keys that signed listed checkpoints', () =>
      KnownKeys.find(database, trusted),
    )) ??
      new KnownKeys(trusted));
  const newest =
    (await attempt('checkpoints', `the newest checkpoint ${place}`, () =>
      auditNewest(audited, known),
    )) ?? null;
  const through = await attempt('checkpoints', 'the list of published checkpoints', () =>
    lastNumber(database, findings),
  );
  const historyTo = (last: number) =>
    attempt('events', 'the stream of events about the log itself', () =>
      readHistory(ownRows(database, last)),
    );
  const soFar = await historyTo(lastPosition);
  const outside = await readOutside(soFar ?? noHistory, known);
  // Read the head after all checkpoints: a running service anchors and publishes more meanwhile.
  const head = await attempt('log_head', 'the last position of the log', () =>
    numberOf(database, 'SELECT max(position) AS value FROM log_head'),
  );
  const upTo = Math.min(head ?? lastPosition, lastPosition);
  const history = soFar && (await historyTo(upTo));
  const isListed = through !== undefined && history !== undefined;
  const epochs = history === undefined ? null : LogEpochs.of(history);
  if (newest !== null && isListed) {
    await attempt('checkpoints', 'the last listed checkpoint', () =>
      compareListed(audited, newest, epochs),
    );
  }
  const outOfOrder = await attempt('checkpoints', 'the list of checkpoints by size', () =>
    findOutOfOrder(database, epochs),
  );
  const onSigned = (signers: readonly ReadKey[]) => known?.add(signers);
  const listed = { epochs, through: through ?? 0, onSigned, findings };
  const tiles = newest?.origin === (epochs?.origin ?? newest?.origin);
  const log = new LogAudit({
    checkpoints: isListed ? auditCheckpoints(database, listed) : none(),
    tiles: newest && published && tiles ? new TileAudit(published, newest, findings) : null,
    history: announcing(history ?? noHistory, [...outside, ...(outOfOrder ?? [])]),
    expected: Math.max(0, upTo),
    findings,
  });
  try {
    const isWhole = await findings.attempt(
      { in: 'events', what: () => `the events after position ${log.position}` },
      () => readThrough(audited, log, { upTo, head: head ?? null }),
      false,
    );
    if (head === null) {
      reportHeadFault(findings, 'the row that states the last position is missing');
    }
    if (isWhole) await log.end(head ?? null);
    compareOutside(outside, { log, isWhole, findings });
    for (const what of known?.reasons ?? []) reportUnknownKeys(audited, what);
  } finally {
    log.close();
  }
  audited.references?.end();
  await attempt('events', 'the search for events outside the positions of the log', () =>
    auditBeyond(database, log, findings),
  );
  const root = log.root().toString('hex');
  return {
    events: log.position,
    root,
    restores: auditRestores(history ?? noHistory, findings),
    origin: epochs?.origin ?? null,
    publishedSize: tiles ? (newest?.size ?? null) : null,
  };
}

const outside = 'the position is less than 1, or after the last position that log_head states';
const noHistory: LogHistory = {
  logId: null,
  name: '',
  restores: [],
  sizes: new Set(),
  requests: new Map(),
  accounts: [],
};
/** Greatest exact integer of a double. */
const lastPosition = Number.MAX_SAFE_INTEGER;

async function* none(): AsyncGenerator<NamedCheckpoint> {}

/** One statement, so that a concurrent append is visible in both tables or in neither. */
async function auditBeyond(database: Queryable, log: LogAudit, findings: Findings): Promise<void> {
  const { rows } = await database.query<{ position: number | null; leaf: Buffer; total: number }>(
    `SELECT position, coalesce(substring(leaf FROM 1 FOR 64), '') AS leaf, count(*) OVER () AS total FROM events
     WHERE position < 1 OR position > (SELECT max(position) FROM log_head) OR position IS NULL
     ORDER BY position LIMIT ${mostBeyond}`,
  );
  const at = { in: 'events', column: 'position' } as const;
  for (const { position, leaf } of rows) {
    const what = position === null ? 'the value is NULL' : outside;
    const cause = log.causeOfMissing(leaf);
    if (cause === null) findings.reportOnce('outside the log', { ...at, position, what });
    else {
      const now = `${cause.fault.what}. Its row has the position ${position ?? 'NULL'} now`;
      findings.amend(cause.fault, { what: now });
    }
  }
  const times = (rows[0]?.total ?? 0) - rows.length;
  if (times > 0) {
    const what = `${times} more events: ${outside}`;
    findings.reportFault({ ...at, position: null, what, times });
  }
}

async function numberOf(database: Queryable, text: string): Promise<number | null> {
  const { rows } = await database.query<{ value: number | null }>(text);
  return rows[0]?.value ?? null;
}

/** Without keys from the auditor, an earlier key of the operator may just be missing. */
function reportUnknownKeys({ findings, isTrustGiven = true }: AuditedLog, what: string): void {
  const finding = { in: 'checkpoints', position: null, column: 'vkeys', what } as const;
  if (isTrustGiven) findings.reportFault(finding);
  else findings.reportUnchecked(finding);
}

function reportHeadFault({ reportFault }: Findings, what: string): void {
  reportFault({ in: 'log_head', position: null, column: 'position', what });
}
