import { sql, type Transaction } from 'kysely';
import type { Scope } from '../../src/domain/key/scope.ts';
import type { Plan } from '../../src/domain/organisation/plan.ts';
import type { HashScheme } from '../../src/domain/proof/hash-scheme.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * `position` is the log position of the event that opened the organisation or issued the key: the
 * order of creation.
 */
export type AccessTables = {
  organisations: {
    organisation_id: string;
    position: number;
    opened_at: string;
    name: string;
    plan: Plan;
    api_access: boolean;
    suspended: boolean;
    hash_scheme: HashScheme;
    upload_allowance: number | null;
    requests_per_minute: number;
    requests_per_day: number;
    total_requests_per_minute: number | null;
    total_requests_per_day: number | null;
    max_keys: number | null;
  };
  api_keys: {
    key_id: string;
    organisation_id: string;
    position: number;
    /** 1 for the organisation's first key; no number is left out. Lists read a page by it. */
    number: number;
    issued_at: string;
    key_hash: string;
    display_prefix: string;
    name: string | null;
    scopes: Scope[];
    agent: boolean;
    revoked: boolean;
    expires_at: string | null;
    requests_per_minute: number | null;
    requests_per_day: number | null;
    /** The key that issued it; null for an operator or a person. */
    issued_by: string | null;
    /** The person who issued it in the console. */
    issued_by_person: string | null;
    /**
     * True if the key's limit is at most its organisation's: the first key in its chain of issuers
     * has no limit of its own, or a person issued it.
     */
    capped_per_minute: boolean;
    capped_per_day: boolean;
  };
};

export const accessTables: readonly (keyof AccessTables)[] = ['organisations', 'api_keys'];

export async function createAccessTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  await sql`
    CREATE TABLE ${sql.table(named('organisations'))} (
      organisation_id text PRIMARY KEY,
      position bigint NOT NULL,
      opened_at text NOT NULL,
      name text NOT NULL,
      plan text NOT NULL,
      api_access boolean NOT NULL,
      suspended boolean NOT NULL,
      hash_scheme text NOT NULL,
      upload_allowance bigint,
      requests_per_minute bigint NOT NULL,
      requests_per_day bigint NOT NULL,
      total_requests_per_minute bigint,
      total_requests_per_day bigint,
      max_keys bigint
    )`.execute(trx);
  await sql`
    CREATE TABLE ${sql.table(named('api_keys'))} (
      key_id text PRIMARY KEY,
      organisation_id text NOT NULL,
      position bigint NOT NULL,
      number bigint NOT NULL,
      issued_at text NOT NULL,
      key_hash text NOT NULL UNIQUE,
      display_prefix text NOT NULL,
      name text,
      scopes text[] NOT NULL,
      agent boolean NOT NULL,
      revoked boolean NOT NULL,
      expires_at text,
      requests_per_minute bigint,
      requests_per_day bigint,
      issued_by text,
      issued_by_person text,
      capped_per_minute boolean NOT NULL,
      capped_per_day boolean NOT NULL,
      UNIQUE (organisation_id, number)
    )`.execute(trx);
  // Index only the few keys that can raise the total limit of their organisation: keys may issue
  // any number of others over time.
  await sql`
    CREATE INDEX ON ${sql.table(named('api_keys'))} (organisation_id)
    WHERE issued_by IS NULL AND issued_by_person IS NULL AND NOT revoked
      AND (requests_per_minute IS NOT NULL OR requests_per_day IS NOT NULL)`.execute(trx);
  // Finds the live keys of an organisation without its revoked and expired ones.
  await sql`
    CREATE INDEX ON ${sql.table(named('api_keys'))} (organisation_id, expires_at COLLATE "C")
    WHERE NOT revoked`.execute(trx);
}
