import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../../src/event-store/database.ts';
import type { Keyring } from '../../../src/event-store/keyring.ts';
import { compareTables, type RowDifference } from '../../../src/subscriptions/compare-tables.ts';
import { type Projection, tableName } from '../../../src/subscriptions/projection.ts';
import { type Build, findLiveBuild } from '../../../src/subscriptions/projection-builds.ts';
import { idsOfKey } from '../findings/causes.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import { isOutOfReach } from '../findings/out-of-reach.ts';
import type { Queryable } from '../rows/read-rows.ts';
import type { KeyAudit } from '../tables/key-audit.ts';
import { type Folded, foldLog } from './fold-log.ts';
import { inSavepoint } from './in-savepoint.ts';

interface AuditedProjection {
  /** Source of the log's events. */
  readonly database: Queryable;
  readonly keyring: Pick<Keyring, 'find'>;
  readonly projection: Projection;
  readonly findings: Findings;
  /** Result of the `KeyAudit`. */
  readonly keys?: Pick<KeyAudit, 'hasDamage' | 'noneOpens' | 'faultOf'>;
  /** Leaves out events on which the projection fails (true). */
  readonly isCareful?: boolean;
  readonly onPosition?: (position: number, live: number) => void;
}

const mostRows = 50;
/** Greater than the number of any build of the service. */
const scratchBuild = 2_000_000_000;
const soundKeys = { hasDamage: false, noneOpens: false, faultOf: () => null };

/**
 * Folds the log into scratch tables up to the position of the live build, and compares both row by
 * row. An event that cannot be folded is a fault, and is left out.
 * Works in the given transaction, which must be repeatable read and must be rolled back. Then
 * nothing remains, also after a kill, and no other session waits.
 * Returns false without findings if `isCareful` is false and the projection fails on an event. The
 * transaction cannot be used any more then.
 */
export async function auditProjection(
  trx: Transaction<StoreTables>,
  audited: AuditedProjection,
): Promise<boolean> {
  const { projection, findings, keys = soundKeys, isCareful = true, onPosition } = audited;
  const { name, tables, types, version } = projection;
  const live = await findLiveBuild(trx, name);
  if (live?.version !== version) {
    const found =
      live === null
        ? 'no build is live, so nothing was compared'
        : `the live build has version ${live.version}, but this release needs version ${version}. Audit with the release that runs on the database`;
    fault(findings, null, `read model ${name}: ${found}`);
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
  for (const { position, why, stream, data, owner } of folded.leftOut) {
    const what = `read model ${name} cannot apply this event, which was skipped: ${why}`;
    const skipped = { in: 'projections', position, column: null, what } as const;
    // Rows that this event would have written differ then.
    const names = { streams: [stream], data, owners: [owner] };
    findings.reportCause(skipped, names, null, { streams: [stream], ids: [], types });
  }
  const reason = incomparable(folded, keys.noneOpens);
  if (reason !== null) {
    const what = `read model ${name} was not compared: ${reason}`;
    findings.reportUnchecked({ in: 'projections', position: null, column: null, what });
    return true;
  }
  findings.compared.readModels += 1;
  const isPartial = folded.leftOut.length > 0 || keys.hasDamage;
  for (const table of tables) {
    const compare = () =>
      inSavepoint(trx, () => compareTable(trx, audited, live, table, isPartial));
    await findings.attempt({ in: 'projections', what: `table ${table}` }, compare, null);
  }
  return true;
}

/** Position that the live build states in its checkpoint, at most the end of the log. */
async function lastFolded(
  trx: Transaction<StoreTables>,
  live: Build,
  { projection, findings }: AuditedProjection,
): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    SELECT max(position) AS last FROM events`.execute(trx);
  const last = rows[0]?.last ?? 0;
  if (Number.isInteger(live.position) && live.position <= last) return live.position;
  const what = `read model ${projection.name}: the live build states position ${live.position}, but the last event is at position ${last}`;
  const fault = { in: 'projections', position: null, column: 'position', what } as const;
  findings.reportOnce('position of a read model', fault, { ids: [] });
  return last;
}

function incomparable({ leftOut, unopened, isWhole }: Folded, noneOpens: boolean): string | null {
  if (!isWhole) return `at least ${leftOut.length} events cannot be applied`;
  return noneOpens && unopened > 0 ? 'no key decrypts the encrypted fields of its events' : null;
}

async function compareTable(
  trx: Transaction<StoreTables>,
  { findings, projection, keys = soundKeys }: AuditedProjection,
  { build }: Build,
  table: string,
  isPartial: boolean,
): Promise<void> {
  const [first, second] = [tableName(build)(table), tableName(scratchBuild)(table)];
  const showValues = keys.hasDamage;
  const compared = await compareTables(trx, { table, first, second }, { mostRows, showValues });
  const scope = isPartial
    ? ' (compared without the events that cannot be applied or decrypted)'
    : '';
  let isOwn = false;
  let last: Fault | null = null;
  for (const row of compared.rows) {
    const { key, found, columns } = row;
    const at = Object.entries(key).map(([column, value]) => `${column} ${value}`);
    const what = {
      different: 'the row differs from the row that follows from the events',
      'only in the first': 'the row does not follow from the events',
      'only in the second': 'the row is missing, although it follows from the events',
    }[found];
    const finding: Fault = {
      ...{ in: 'projections', position: null, column: columns.join() || null },
      what: `table ${table}, ${at.join(', ')}: ${what}${scope}`,
    };
    // Without the key of an organisation its events are folded as if they were not there.
    const owner = keys.hasDamage && found !== 'only in the second' ? await ownerOf(trx, row) : null;
    const keyFault = owner === null ? null : keys.faultOf(owner);
    const related = { ids: idsOfKey(key), types: projection.types };
    const reported =
      keyFault === null
        ? findings.reportFault(finding, related)
        : findings.addConsequence(keyFault, finding);
    isOwn ||= reported.in === 'projections' && reported.consequences === undefined;
    last = reported;
  }
  const times = compared.count - compared.rows.length;
  if (times > 0) {
    const what = `table ${table}: ${times} more rows differ${scope}`;
    const more = { in: 'projections', position: null, column: null, what, times } as const;
    if (isOwn || last === null) findings.reportFault(more);
    else findings.addConsequence(last, more);
  }
  const odd = [...compared.columns.first, ...compared.columns.second];
  if (odd.length > 0)
    fault(
      findings,
      odd.join(),
      `table ${table}: its columns differ from those that this release needs`,
    );
}

function fault(
  { reportFault }: Findings,
  column: string | null,
  what: string,
  times?: number,
): void {
  const finding = { in: 'projections', position: null, column, what } as const;
  reportFault(times === undefined ? finding : { ...finding, times });
}

/** Prefixes of streams whose id may be the key of a row. */
const prefixes = ['proof', 'document', 'key', 'webhook', 'run', 'organisation'] as const;
const ulid = /^[0-9A-HJKMNP-TV-Z]{26}/;

/** Organisation of a row of a read model, by its own columns or by its events; null if unknown. */
async function ownerOf(
  trx: Transaction<StoreTables>,
  { key, values }: Pick<RowDifference, 'key' | 'values'>,
): Promise<string | null> {
  const named =
    key.organisation_id ?? values?.first?.organisation_id ?? key.blob_key?.split('/')[0];
  if (named !== undefined && named !== null) return named;
  const ids = Object.values(key).filter((value) => ulid.test(value));
  const streams = ids.flatMap((id) => prefixes.map((prefix) => `${prefix}-${id}`));
  if (streams.length === 0) return null;
  const { rows } = await sql<{ owner: string }>`
    SELECT organisation_id AS owner FROM events
    WHERE stream = ANY(${streams}::text[]) AND organisation_id IS NOT NULL LIMIT 1`.execute(trx);
  return rows[0]?.owner ?? null;
}
