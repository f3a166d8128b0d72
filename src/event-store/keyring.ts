import { createHmac, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { ulid } from 'ulid';
import { OperatorError } from '../errors/operator-error.ts';
import { StoreUnavailable } from './connection-loss.ts';
import {
  type KeyPurpose,
  type MasterKeys,
  unwrapKey,
  type WrappedKey,
  wrapKey,
} from './key-wrapping.ts';

/** The two keys of an organisation, unwrapped. */
export interface OrganisationKeys {
  readonly dataKeyId: string;
  readonly dataKey: Buffer;
  readonly indexKey: Buffer;
}

/**
 * Keys of the organisations. Every call rejects with `StoreUnavailable` if the database cannot be
 * reached.
 */
export interface Keyring {
  /**
   * Creates the organisation's keys, which are durable when this resolves. A second call keeps
   * them.
   */
  create(organisationId: string): Promise<void>;
  /** The organisation's keys; null if they were never made or have been destroyed. */
  find(organisationId: string): Promise<OrganisationKeys | null>;
  /**
   * Unwraps the oldest keys, if any. Call it at the start of every process, before a wrong master
   * key wraps keys that no other process can unwrap. Rejects with `MasterKeyMismatch`.
   */
  check(): Promise<void>;
}

/** The master key does not unwrap the stored keys: they were written with another one. */
export class MasterKeyMismatch extends OperatorError {
  constructor(organisationId: string) {
    super(
      `MASTER_KEY cannot decrypt the keys of organisation ${organisationId}: ` +
        'set the master key that this database was written with',
    );
  }
}

/** True if the database holds keys, wrapped by any master key. */
export async function hasWrappedKeys(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT FROM data_keys LIMIT 1');
  return (rowCount ?? 0) > 0;
}

/** `HMAC-SHA-256(indexKey, value)` in hex: stands for a confidential value in a stream name. */
export function indexOf(keys: OrganisationKeys, value: string): string {
  return createHmac('sha256', keys.indexKey).update(value, 'utf8').digest('hex');
}

/**
 * Keeps the organisations' keys in their table, wrapped by the master key, and caches unwrapped
 * keys in memory. Before use of a cached key, it checks for erased organisations, at most once per
 * `recheckMs`. So a destroyed key stays in use for `recheckMs` at most.
 */
export function createKeyring(
  pool: Pick<pg.Pool, 'query'>,
  masterKey: Buffer | MasterKeys,
  recheckMs = 500,
): Keyring {
  const masterKeys = Buffer.isBuffer(masterKey) ? { present: masterKey } : masterKey;
  const opened = new Map<string, Promise<OrganisationKeys | null>>();
  let checked = { erased: -1, at: -Infinity };
  let checking: Promise<void> | null = null;

  const query = async <Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<Row[]> => {
    try {
      return (await pool.query<Row>(config)).rows;
    } catch (cause) {
      throw StoreUnavailable.wrap(cause);
    }
  };

  const load = async (organisationId: string): Promise<OrganisationKeys | null> => {
    const rows = await query<WrappedKey>({
      name: 'keyring-find',
      text: 'SELECT organisation_id, purpose, key_id, wrapped FROM data_keys WHERE organisation_id = $1',
      values: [organisationId],
    });
    const openOne = (purpose: KeyPurpose) => {
      const row = rows.find((candidate) => candidate.purpose === purpose);
      if (row === undefined) return null;
      const unwrapped = unwrapKey(row, masterKeys);
      if (unwrapped === null) throw new MasterKeyMismatch(organisationId);
      return { keyId: row.key_id, key: unwrapped.key };
    };
    const data = openOne('data');
    const index = openOne('index');
    if (data === null || index === null) return null;
    return { dataKeyId: data.keyId, dataKey: data.key, indexKey: index.key };
  };

  /**
   * Checks all organisations at once and clears the cache after an erasure. Erasures are rare, and
   * cached keys can be loaded again.
   */
  const dropDestroyed = async (): Promise<void> => {
    const at = performance.now();
    const [row] = await query<{ erased: number }>({
      name: 'keyring-erased',
      text: 'SELECT count(*) AS erased FROM closed_organisations WHERE erased',
    });
    const erased = row?.erased ?? 0;
    if (erased !== checked.erased) opened.clear();
    checked = { erased, at };
  };

  const open = (organisationId: string): Promise<OrganisationKeys | null> => {
    const known = opened.get(organisationId);
    if (known) return known;
    const keys = load(organisationId);
    opened.set(organisationId, keys);
    // Cache only keys that were found: missing keys may be created at any moment.
    const forget = () => opened.get(organisationId) === keys && opened.delete(organisationId);
    keys.then((found) => found ?? forget()).catch(forget);
    if (opened.size > maxOpened) opened.delete(opened.keys().next().value ?? organisationId);
    return keys;
  };

  return {
    async check() {
      const [oldest] = await query<{ organisation_id: string }>({
        text: 'SELECT organisation_id FROM data_keys ORDER BY organisation_id LIMIT 1',
      });
      if (oldest) await load(oldest.organisation_id);
    },

    async create(organisationId) {
      const keys = (['data', 'index'] as const).map((purpose) => {
        const row = { organisation_id: organisationId, purpose, key_id: ulid() };
        return { ...row, wrapped: wrapKey(randomBytes(32), row, masterKeys.present) };
      });
      await query({
        text: `INSERT INTO data_keys (organisation_id, purpose, key_id, wrapped)
         SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[]) ON CONFLICT DO NOTHING`,
        values: [
          organisationId,
          keys.map((key) => key.purpose),
          keys.map((key) => key.key_id),
          keys.map((key) => key.wrapped),
        ],
      });
      opened.delete(organisationId);
    },

    find(organisationId) {
      if (performance.now() - checked.at <= recheckMs) return open(organisationId);
      checking ??= dropDestroyed().finally(() => {
        checking = null;
      });
      return checking.then(() => open(organisationId));
    },
  };
}

const maxOpened = 10_000;
