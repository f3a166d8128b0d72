import { type ExpressionBuilder, sql } from 'kysely';
import type { Scope } from '../../src/domain/key/scope.ts';
import {
  defaultMaxKeys,
  totalRequestLimits,
} from '../../src/domain/organisation/organisation-limits.ts';
import type { Plan } from '../../src/domain/organisation/plan.ts';
import type { HashScheme } from '../../src/domain/proof/hash-scheme.ts';
import type { KeyId, OrganisationId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { isNotExpired } from './is-not-expired.ts';
import type { AccessTables } from './table.ts';

/** Permissions of a key now, with the limits that apply. */
export interface KeyAccess {
  readonly keyId: KeyId;
  readonly organisationId: OrganisationId;
  readonly scopes: readonly Scope[];
  readonly agent: boolean;
  readonly revoked: boolean;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. The caller checks whether the key has expired. */
  readonly expiresAt: string | null;
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
  readonly organisation: {
    readonly plan: Plan;
    readonly apiAccess: boolean;
    readonly suspended: boolean;
    readonly hashScheme: HashScheme;
    /** Limits of all its keys together. */
    readonly totalRequestsPerMinute: number;
    readonly totalRequestsPerDay: number;
  };
}

/** Access of each key by its hash (`hashApiKey`), in one query. Unknown keys are absent. */
export async function findKeyAccesses(
  db: ReadModels,
  keyHashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, KeyAccess>> {
  const rows = await db
    .$extendTables<AccessTables>()
    .selectFrom('api_keys as k')
    .innerJoin('organisations as o', 'o.organisation_id', 'k.organisation_id')
    .innerJoinLateral(
      (eb) => highestOf(eb, now),
      (join) => join.onTrue(),
    )
    .where('k.key_hash', '=', sql<string>`ANY(${keyHashes})`)
    .select([
      'k.key_hash',
      'k.key_id',
      'k.organisation_id',
      'k.scopes',
      'k.agent',
      'k.revoked',
      'k.expires_at',
      'k.requests_per_minute as own_per_minute',
      'k.requests_per_day as own_per_day',
      'k.capped_per_minute',
      'k.capped_per_day',
      'o.plan',
      'o.api_access',
      'o.suspended',
      'o.hash_scheme',
      'o.requests_per_minute',
      'o.requests_per_day',
      'o.total_requests_per_minute',
      'o.total_requests_per_day',
      'highest.highest_per_minute',
      'highest.highest_per_day',
    ])
    .execute();
  return new Map(
    rows.map((row) => [
      row.key_hash,
      {
        keyId: row.key_id as KeyId,
        organisationId: row.organisation_id as OrganisationId,
        scopes: row.scopes,
        agent: row.agent,
        revoked: row.revoked,
        expiresAt: row.expires_at,
        requestsPerMinute: effective(
          row.own_per_minute,
          row.capped_per_minute,
          row.requests_per_minute,
        ),
        requestsPerDay: effective(row.own_per_day, row.capped_per_day, row.requests_per_day),
        organisation: {
          plan: row.plan,
          apiAccess: row.api_access,
          suspended: row.suspended,
          hashScheme: row.hash_scheme,
          ...totalsOf(row),
        },
      },
    ]),
  );
}

type TotalsRow = Pick<
  AccessTables['organisations'],
  | 'requests_per_minute'
  | 'requests_per_day'
  | 'total_requests_per_minute'
  | 'total_requests_per_day'
> & { readonly highest_per_minute: number | null; readonly highest_per_day: number | null };

/** Limit that applies to a key: its own, or at most its organisation's if that caps it. */
function effective(own: number | null, capped: boolean, ofOrganisation: number): number {
  if (own === null) return ofOrganisation;
  return capped ? Math.min(own, ofOrganisation) : own;
}

/** Highest limits that an operator gave to a live key of `organisations o`. */
function highestOf(
  eb: ExpressionBuilder<AccessTables & { o: AccessTables['organisations'] }, 'o'>,
  now: Date,
) {
  return eb
    .selectFrom('api_keys as own')
    .where(
      sql<boolean>`own.organisation_id = o.organisation_id AND own.issued_by IS NULL AND own.issued_by_person IS NULL
      AND NOT own.revoked
      AND (own.requests_per_minute IS NOT NULL OR own.requests_per_day IS NOT NULL)
      AND ${isNotExpired(sql.ref('own.expires_at'), now)}`,
    )
    .select(({ fn }) => [
      fn.max<number | null>('own.requests_per_minute').as('highest_per_minute'),
      fn.max<number | null>('own.requests_per_day').as('highest_per_day'),
    ])
    .as('highest');
}

/** The limits that apply to all keys of an organisation together. */
function totalsOf(row: TotalsRow): Pick<OrganisationRecord, `totalRequestsPer${'Minute' | 'Day'}`> {
  const { perMinute, perDay } = totalRequestLimits({
    set: { perMinute: row.total_requests_per_minute, perDay: row.total_requests_per_day },
    ofAKey: { perMinute: row.requests_per_minute, perDay: row.requests_per_day },
    highest: { perMinute: row.highest_per_minute, perDay: row.highest_per_day },
  });
  return { totalRequestsPerMinute: perMinute, totalRequestsPerDay: perDay };
}

export interface OrganisationRecord {
  readonly organisationId: OrganisationId;
  readonly name: string;
  readonly plan: Plan;
  readonly apiAccess: boolean;
  readonly suspended: boolean;
  readonly hashScheme: HashScheme;
  /** Documents per calendar month; null is unlimited. */
  readonly uploadAllowance: number | null;
  /** Limits of each key without limits of its own. */
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
  /** Limits of all keys together, as they apply. */
  readonly totalRequestsPerMinute: number;
  readonly totalRequestsPerDay: number;
  /** Maximum number of API keys that are neither revoked nor expired. */
  readonly maxKeys: number;
  readonly openedAt: string;
}

/** All organisations, in the order in which they were opened. */
export async function listOrganisations(
  db: ReadModels,
  now = new Date(),
): Promise<readonly OrganisationRecord[]> {
  const rows = await organisations(db, now).orderBy('position').execute();
  return rows.map(toOrganisation);
}

export async function findOrganisation(
  db: ReadModels,
  organisationId: OrganisationId,
  now = new Date(),
): Promise<OrganisationRecord | null> {
  const row = await organisations(db, now)
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst();
  return row === undefined ? null : toOrganisation(row);
}

function organisations(db: ReadModels, now: Date) {
  return db
    .$extendTables<AccessTables>()
    .selectFrom('organisations as o')
    .innerJoinLateral(
      (eb) => highestOf(eb, now),
      (join) => join.onTrue(),
    )
    .selectAll('o')
    .select(['highest.highest_per_minute', 'highest.highest_per_day']);
}

function toOrganisation(row: AccessTables['organisations'] & TotalsRow): OrganisationRecord {
  return {
    organisationId: row.organisation_id as OrganisationId,
    name: row.name,
    plan: row.plan,
    apiAccess: row.api_access,
    suspended: row.suspended,
    hashScheme: row.hash_scheme,
    uploadAllowance: row.upload_allowance,
    requestsPerMinute: row.requests_per_minute,
    requestsPerDay: row.requests_per_day,
    ...totalsOf(row),
    maxKeys: row.max_keys ?? defaultMaxKeys,
    openedAt: row.opened_at,
  };
}
