import { sql } from 'kysely';
import type { KeyId, OrganisationId } from '../../domain/ulid.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';

/** Last uses of keys. Calls only note a use; noted uses are written together every few seconds. */
export interface KeyUses {
  /** Notes that the key is used now. */
  note(keyId: KeyId): void;
  /** Writes the noted uses. Keeps uses that cannot be written for the next time. Never rejects. */
  flush(): Promise<void>;
  /** Writes the noted uses for the last time. */
  close(): Promise<void>;
}

const defaultFlushMs = 10_000;

export function createKeyUses(
  db: ReadModels,
  options: { readonly onError: (error: unknown) => void; readonly flushMs?: number },
): KeyUses {
  const { onError, flushMs = defaultFlushMs } = options;
  /** `performance.now()` of the latest unwritten use of each key. */
  let noted = new Map<KeyId, number>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await writeUses(db, uses);
    } catch (error) {
      // Uses noted in the meantime are newer.
      noted = new Map([...uses, ...noted]);
      onError(error);
    }
  };
  const flush = () => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(flush, flushMs).unref();
  return {
    note: (keyId) => {
      noted.set(keyId, performance.now());
    },
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

/**
 * Writes in the order of the key ids, so that two processes cannot deadlock. Writes nothing for
 * keys of erased organisations.
 */
async function writeUses(db: ReadModels, uses: ReadonlyMap<KeyId, number>): Promise<void> {
  const now = performance.now();
  const agesMs = [...uses.values()].map((at) => now - at);
  await sql`
    INSERT INTO key_uses AS k (key_id, last_used_at)
    SELECT key_id, statement_timestamp() - age_ms * interval '1 millisecond'
    FROM unnest(${[...uses.keys()]}::text[], ${agesMs}::float8[]) AS u(key_id, age_ms)
    WHERE NOT EXISTS (
      SELECT FROM events e JOIN closed_organisations c ON c.organisation_id = e.organisation_id
      WHERE e.stream = 'key-' || u.key_id AND e.version = 1 AND c.erased)
    ORDER BY key_id COLLATE "C"
    ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at
    WHERE k.last_used_at < excluded.last_used_at`.execute(db);
}

export async function forgetKeyUses(db: ReadModels, keyIds: readonly KeyId[]): Promise<void> {
  await sql`DELETE FROM key_uses WHERE key_id = ANY(${[...keyIds]}::text[])`.execute(db);
}

/** Deletes the uses of all keys that the organisations ever had. */
export async function forgetKeyUsesOf(
  db: ReadModels,
  organisationIds: readonly OrganisationId[],
): Promise<void> {
  await sql`
    DELETE FROM key_uses WHERE key_id IN (
      SELECT substr(stream, length('key-') + 1) FROM events
      WHERE organisation_id = ANY(${[...organisationIds]}::text[]) AND type = 'KeyIssued')`.execute(
    db,
  );
}

/** Last written uses of these keys: `YYYY-MM-DDTHH:MM:SS.sssZ` by key. */
export async function readKeyUses(
  db: ReadModels,
  keyIds: readonly KeyId[],
): Promise<ReadonlyMap<KeyId, string>> {
  const { rows } = await sql<{ readonly key_id: KeyId; readonly last_used_at: Date }>`
    SELECT key_id, last_used_at FROM key_uses WHERE key_id = ANY(${[...keyIds]}::text[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.key_id, row.last_used_at.toISOString()]));
}
