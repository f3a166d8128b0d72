import { sql } from 'kysely';
import type { Scope } from '../../src/domain/key/scope.ts';
import type { KeyId, OrganisationId, PersonId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { isNotExpired } from './is-not-expired.ts';
import type { AccessTables } from './table.ts';

/** A key as lists show it. Limits are null if the organisation's apply. */
export interface KeyRecord {
  readonly keyId: KeyId;
  readonly displayPrefix: string;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly agent: boolean;
  readonly revoked: boolean;
  readonly expiresAt: string | null;
  readonly requestsPerMinute: number | null;
  readonly requestsPerDay: number | null;
  /** The key that issued it; null for an operator or a person. */
  readonly issuedBy: KeyId | null;
  /** The person who issued it in the console. */
  readonly issuedByPerson: PersonId | null;
  readonly createdAt: string;
}

interface KeysPage {
  readonly items: readonly KeyRecord[];
  /** Exact number of keys on all pages. */
  readonly total: number;
}

/**
 * One page of the organisation's keys, in the order of issue, including revoked keys. Items and
 * total are of one moment. `page` counts from 1; without `page` all keys are returned. The cost of a
 * page depends on neither its number nor the total.
 */
export async function listKeys(
  db: ReadModels,
  organisationId: OrganisationId,
  page?: { readonly page: number; readonly limit: number },
): Promise<KeysPage> {
  const range =
    page &&
    sql`AND number > ${(page.page - 1) * page.limit} AND number <= ${page.page * page.limit}`;
  const { rows } = await sql<{ total: number } & (KeyRow | { key_id: null })>`
    SELECT always.total, item.*
    FROM (
      SELECT coalesce(max(number), 0) AS total FROM api_keys WHERE organisation_id = ${organisationId}
    ) always
    LEFT JOIN (
      SELECT * FROM api_keys WHERE organisation_id = ${organisationId} ${range ?? sql``}
    ) item ON true
    ORDER BY item.number`.execute(db);
  return {
    items: rows.flatMap((row) => (row.key_id === null ? [] : [toKey(row)])),
    total: rows[0]?.total ?? 0,
  };
}

/** The organisation's key with this id; null if there is none. */
export async function findKey(
  db: ReadModels,
  organisationId: OrganisationId,
  keyId: KeyId,
): Promise<KeyRecord | null> {
  const row = await db
    .$extendTables<AccessTables>()
    .selectFrom('api_keys')
    .where('key_id', '=', keyId)
    .where('organisation_id', '=', organisationId)
    .selectAll()
    .executeTakeFirst();
  return row === undefined ? null : toKey(row);
}

/** Number of the organisation's keys that are neither revoked nor expired. */
export async function countLiveKeys(
  db: ReadModels,
  organisationId: OrganisationId,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    SELECT count(*) AS live FROM api_keys
    WHERE organisation_id = ${organisationId} AND NOT revoked
      AND ${isNotExpired(sql.ref('expires_at'), now)}`.execute(db);
  return rows[0]?.live ?? 0;
}

type KeyRow = AccessTables['api_keys'];

function toKey(row: KeyRow): KeyRecord {
  return {
    keyId: row.key_id as KeyId,
    displayPrefix: row.display_prefix,
    name: row.name,
    scopes: row.scopes,
    agent: row.agent,
    revoked: row.revoked,
    expiresAt: row.expires_at,
    requestsPerMinute: row.requests_per_minute,
    requestsPerDay: row.requests_per_day,
    issuedBy: row.issued_by as KeyId | null,
    issuedByPerson: row.issued_by_person as PersonId | null,
    createdAt: row.issued_at,
  };
}
