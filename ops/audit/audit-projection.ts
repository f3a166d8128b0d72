import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Keyring } from '../../src/event-store/keyring.ts';
import { compareTables } from '../../src/subscriptions/compare-tables.ts';
import { type Projection, tableName } from '../../src/subscriptions/projection.ts';
import { type Build, findLiveBuild } from '../../src/subscriptions/projection-builds.ts';
import type { Findings } from './findings.ts';
import { type Folded, foldLog } from './fold-log.ts';
import { inSavepoint } from './in-savepoint.ts';
import type { KeyAudit } from './key-audit.ts';
import { isOutOfReach } from './out-of-reach.ts';
import type { Queryable } from './read-rows.ts';

export interface AuditedProjection {
  /** For reading the log. */
  readonly database: Queryable;
  readonly keyring: Pick<Keyring, 'find'>;
  readonly projection: Projection;
  readonly findings: Findings;
  /** As the `KeyAudit` found them. */
  readonly keys?: Pick<KeyAudit, 'hasDamage' | 'noneOpens'>;
  /** Leaves out events on which the projection fails (true). */
  readonly isCareful?: boolean;
  readonly onPosition?: (position: number, live: number) => void;
}

const mostRows = 50;
/** No build of the service comes so far. */
const scratchBuild = 2_000_000_000;
const soundKeys = { hasDamage: false, noneOpens: false };

/**
 * Folds the log into tables of its own, up to the position of the live build, and compares the two
 * row by row. Events that cannot be folded are faults, and left out. All of it happens in the given
 * transaction, which must see one moment (repeatable read) and be rolled back: nothing is left, also after
 * a kill, and nobody waits. Returns false, and has found nothing, where it is not careful and there is an
 * event on which the projection fails: the transaction is of no more use then.
 */
export async function auditProjection(
  trx: Transaction<StoreTables>,
  audited: AuditedProjection,
): Promise<boolean> {
  const { projection, findings, keys = soundKeys, isCareful = true, onPosition } = audited;
  const { name, tables, version } = projection;
  const live = await findLiveBuild(trx, name);
  if (live?.version !== version) {
    const found = live === null ? 'no build is live' : `the live build has version ${live.version}`;
    fault(findings, null, `${name}: ${found}, this program has version ${version}`);
    return true;
  }
  const upTo = await lastFolded(trx, live, audited);
  const named = tableName(scratchBuild);
  await projection.create(trx, named);
  const folded = await foldLog(trx, {
    ...{ ...audited, named, upTo, isCareful },
    onPosition: (position) => onPosition?.(position, upTo),
  }).catch((error) => {
    if (isCareful || isOutOfReach(error)) throw error;
    return null;
  });
  if (folded === null) return false;
  for (const { position, why } of folded.leftOut) {
    const what = `${name} cannot be folded from this event, which was left out: ${why}`;
    findings.tell({ in: 'projections', position, column: null, what });
  }
  const reason = incomparable(folded, keys.noneOpens);
  if (reason !== null) {
    const what = `${name} was not compared: ${reason}`;
    findings.tellUnchecked({ in: 'projections', position: null, column: null, what });
    return true;
  }
  const isPartial = folded.leftOut.length > 0 || keys.hasDamage;
  for (const table of tables) {
    const compare = () =>
      inSavepoint(trx, () => compareTable(trx, audited, live, table, isPartial));
    await findings.attempt({ in: 'projections', what: table }, compare, null);
  }
  return true;
}

/** Position up to which the live build says that it was folded, at most the end of the log. */
async function lastFolded(
  trx: Transaction<StoreTables>,
  live: Build,
  { projection, findings }: AuditedProjection,
): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(position) AS last FROM events`.execute(trx);
  const last = rows[0]?.last ?? 0;
  if (Number.isInteger(live.position) && live.position <= last) return live.position;
  const what = `${projection.name}: its checkpoint says ${live.position}, the last event is at ${last}`;
  fault(findings, 'position', what);
  return last;
}

function incomparable({ leftOut, unopened, isWhole }: Folded, noneOpens: boolean): string | null {
  if (!isWhole) return `${leftOut.length} events and perhaps more cannot be folded`;
  return noneOpens && unopened > 0 ? 'no key opens what its events have sealed' : null;
}

async function compareTable(
  trx: Transaction<StoreTables>,
  { findings }: AuditedProjection,
  { build }: Build,
  table: string,
  isPartial: boolean,
): Promise<void> {
  const [first, second] = [tableName(build)(table), tableName(scratchBuild)(table)];
  const compared = await compareTables(trx, { table, first, second }, { mostRows });
  const without = isPartial ? 'without the events that cannot be folded or opened, ' : '';
  for (const { key, found, columns } of compared.rows) {
    const at = Object.entries(key).map(([column, value]) => `${column} ${value}`);
    const what = {
      different: 'it differs from the row that the log yields',
      'only in the first': 'the log does not yield this row',
      'only in the second': 'it is missing',
    }[found];
    fault(findings, columns.join() || null, `${table}, ${at.join(', ')}: ${without}${what}`);
  }
  const times = compared.count - compared.rows.length;
  if (times > 0) fault(findings, null, `${table}: ${without}${times} more rows differ`, times);
  const odd = [...compared.columns.first, ...compared.columns.second];
  if (odd.length > 0)
    fault(findings, odd.join(), `${table}: its columns differ from those of this program`);
}

function fault({ tell }: Findings, column: string | null, what: string, times?: number): void {
  const place = { in: 'projections', position: null, column, what } as const;
  tell(times === undefined ? place : { ...place, times });
}
