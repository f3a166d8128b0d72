import type { Transaction } from 'kysely';
import { projections } from '../../../projections/registry.ts';
import type { StoreTables } from '../../../src/event-store/database.ts';
import type { Keyring } from '../../../src/event-store/keyring.ts';
import type { ReadModels } from '../../../src/subscriptions/projection.ts';
import type { Patience } from '../database/patience.ts';
import type { Findings } from '../findings/findings.ts';
import type { Queryable } from '../rows/read-rows.ts';
import type { KeyAudit } from '../tables/key-audit.ts';
import { auditProjection } from './audit-projection.ts';

export interface AuditedProjections {
  readonly db: ReadModels;
  /** Source of the log's events. */
  readonly database: Queryable;
  readonly patience: Patience;
  readonly keyring: Pick<Keyring, 'find'>;
  readonly keys: Pick<KeyAudit, 'hasDamage' | 'noneOpens' | 'faultOf'>;
  readonly findings: Findings;
  /** Reports the number of events that were folded into all read models, and of all that will be. */
  readonly onFolded?: (folded: number, total: number) => void;
}

/**
 * Audits every read model in a transaction of its own. Looks for the events on which a projection
 * fails only if it fails, in a second transaction.
 */
export async function auditProjections(audited: AuditedProjections): Promise<void> {
  const { db, database, patience, findings, onFolded } = audited;
  const attempt = <Result>(what: string, work: () => Promise<Result>) =>
    findings.attempt({ in: 'projections', what }, work, null);
  const hindrance = await attempt('all read models', () => findHindrance(database));
  if (hindrance !== '') {
    const at = { in: 'projections', position: null, column: null } as const;
    if (hindrance !== null) {
      findings.reportUnchecked({ ...at, what: `no read model was compared: ${hindrance}` });
    }
    return;
  }
  for (const [index, projection] of projections.entries()) {
    const { name } = projection;
    const onPosition = (position: number, live: number) =>
      onFolded?.(index * live + position, projections.length * live);
    const audit = (isCareful: boolean) =>
      inScratch(db, patience, (trx) =>
        auditProjection(trx, { ...audited, projection, isCareful, onPosition }),
      );
    await attempt(`read model ${name}`, async () => (await audit(false)) || audit(true));
  }
}

/** Runs the work in a repeatable-read transaction, which is then rolled back. */
async function inScratch<Result>(
  db: ReadModels,
  patience: Patience,
  work: (trx: Transaction<StoreTables>) => Promise<Result>,
): Promise<Result> {
  const begin = () => db.startTransaction().setIsolationLevel('repeatable read').execute();
  const trx = await patience.repeat(begin);
  try {
    return await work(trx);
  } finally {
    await trx.rollback().execute();
  }
}

/** Reason why this role cannot create tables, with advice; empty if it can. */
async function findHindrance(database: Queryable): Promise<string> {
  const { rows } = await database.query<{
    role: string;
    schema: string | null;
    may_create: boolean | null;
    is_read_only: boolean;
  }>(
    `SELECT current_user AS role, current_schema() AS schema,
       current_setting('transaction_read_only')::boolean AS is_read_only,
       has_schema_privilege(current_schema(), 'CREATE') AS may_create`,
  );
  const {
    role = '',
    schema = null,
    may_create: mayCreate,
    is_read_only: isReadOnly,
  } = rows[0] ?? {};
  const folded = 'an audit builds them again in new tables';
  if (isReadOnly) return `${folded}, but this database is read-only: audit the primary database`;
  if (mayCreate) return '';
  const grant = `GRANT CREATE ON SCHEMA ${schema ?? 'public'} TO ${role}`;
  return `${folded}, but the role ${role} may not create tables: run ${grant}, or audit with the role of the service`;
}
