import { sql } from 'kysely';
import type { Scope } from '../../src/domain/key/scope.ts';
import type { Plan } from '../../src/domain/organisation/plan.ts';
import type { HashScheme } from '../../src/domain/proof/hash-scheme.ts';
import type { KeyId, OrganisationId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { AccessTables } from './table.ts';

/** What a key may do now. The limits are the ones that apply: the key's own, else its organisation's. */
export interface KeyAccess {
  readonly keyId: KeyId;
  readonly organisationId: OrganisationId;
  readonly scopes: readonly Scope[];
  readonly agent: boolean;
  readonly revoked: boolean;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`; whether it has passed is the caller's to see. */
  readonly expiresAt: string | null;
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
  readonly organisation: {
    readonly plan: Plan;
    readonly apiAccess: boolean;
    readonly suspended: boolean;
    readonly hashScheme: HashScheme;
  };
}

/** The access of the key with this hash (`hashApiKey`), in one query; null if there is no such key. */
export async function findKeyAccess(db: ReadModels, keyHash: string): Promise<KeyAccess | null> {
  return (await findKeyAccesses(db, [keyHash])).get(keyHash) ?? null;
}

/** The same for several keys, by their hashes; absent where there is no such key. */
export async function findKeyAccesses(
  db: ReadModels,
  keyHashes: readonly string[],
): Promise<ReadonlyMap<string, KeyAccess>> {
  const rows = await db
    .$extendTables<AccessTables>()
    .selectFrom('api_keys as k')
    .innerJoin('organisations as o', 'o.organisation_id', 'k.organisation_id')
    .where('k.key_hash', '=', sql<string>`ANY(${keyHashes})`)
    .select((eb) => [
      'k.key_hash',
      'k.key_id',
      'k.organisation_id',
      'k.scopes',
      'k.agent',
      'k.revoked',
      'k.expires_at',
      eb.fn.coalesce('k.requests_per_minute', 'o.requests_per_minute').as('requests_per_minute'),
      eb.fn.coalesce('k.requests_per_day', 'o.requests_per_day').as('requests_per_day'),
      'o.plan',
      'o.api_access',
      'o.suspended',
      'o.hash_scheme',
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
        requestsPerMinute: row.requests_per_minute,
        requestsPerDay: row.requests_per_day,
        organisation: {
          plan: row.plan,
          apiAccess: row.api_access,
          suspended: row.suspended,
          hashScheme: row.hash_scheme,
        },
      },
    ]),
  );
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
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
  readonly openedAt: string;
}

/** All organisations, in the order in which they were opened. */
export async function listOrganisations(db: ReadModels): Promise<readonly OrganisationRecord[]> {
  const rows = await organisations(db).orderBy('position').execute();
  return rows.map(toOrganisation);
}

export async function findOrganisation(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<OrganisationRecord | null> {
  const row = await organisations(db)
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst();
  return row === undefined ? null : toOrganisation(row);
}

/** A key as lists show it; limits are null where the organisation's apply. */
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
  readonly createdAt: string;
}

/** The organisation's keys, revoked ones too, in the order in which they were issued. */
export async function listKeys(
  db: ReadModels,
  organisationId: OrganisationId,
): Promise<readonly KeyRecord[]> {
  const rows = await db
    .$extendTables<AccessTables>()
    .selectFrom('api_keys')
    .where('organisation_id', '=', organisationId)
    .orderBy('position')
    .selectAll()
    .execute();
  return rows.map((row) => ({
    keyId: row.key_id as KeyId,
    displayPrefix: row.display_prefix,
    name: row.name,
    scopes: row.scopes,
    agent: row.agent,
    revoked: row.revoked,
    expiresAt: row.expires_at,
    requestsPerMinute: row.requests_per_minute,
    requestsPerDay: row.requests_per_day,
    createdAt: row.issued_at,
  }));
}

function organisations(db: ReadModels) {
  return db.$extendTables<AccessTables>().selectFrom('organisations').selectAll();
}

function toOrganisation(row: AccessTables['organisations']): OrganisationRecord {
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
    openedAt: row.opened_at,
  };
}
