import type pg from 'pg';
import { type MasterKeys, unwrapKey, type WrappedKey, wrapKey } from './key-wrapping.ts';
import { MasterKeyMismatch } from './keyring.ts';

/** Number of organisations' keys by the master key that wrapped them. */
export interface WrappedKeys {
  readonly present: number;
  readonly former: number;
}

const pageSize = 1_000;

/**
 * Wraps with the present master key every key that a former one has wrapped, all in one
 * transaction. If any key cannot be unwrapped (`MasterKeyMismatch`), nothing changes. The keys
 * themselves stay, so encrypted data is untouched, and processes that know both master keys
 * continue. Returns the counts before the change.
 */
export async function rewrapKeys(
  pool: pg.Pool,
  masterKeys: MasterKeys,
  onProgress: (done: number) => void = () => {},
): Promise<WrappedKeys> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const found = { present: 0, former: 0 };
    for await (const rows of pages(client)) {
      const former = rows.flatMap((row) => {
        const opened = open(row, masterKeys);
        found[opened.isPresent ? 'present' : 'former'] += 1;
        return opened.isPresent ? [] : [{ ...row, key: opened.key }];
      });
      await client.query(
        `UPDATE data_keys AS k SET wrapped = n.wrapped
         FROM unnest($1::text[], $2::text[], $3::bytea[]) AS n(organisation_id, purpose, wrapped)
         WHERE k.organisation_id = n.organisation_id AND k.purpose = n.purpose`,
        [
          former.map((row) => row.organisation_id),
          former.map((row) => row.purpose),
          former.map((row) => wrapKey(row.key, row, masterKeys.present)),
        ],
      );
      onProgress(found.present + found.former);
    }
    await client.query('COMMIT');
    return found;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Counts the keys by the master key that wrapped them, and changes nothing. Rejects with
 * `MasterKeyMismatch`.
 */
export async function countWrappedKeys(
  pool: pg.Pool,
  masterKeys: MasterKeys,
): Promise<WrappedKeys> {
  const client = await pool.connect();
  try {
    const found = { present: 0, former: 0 };
    for await (const rows of pages(client)) {
      for (const row of rows) found[open(row, masterKeys).isPresent ? 'present' : 'former'] += 1;
    }
    return found;
  } finally {
    client.release();
  }
}

/**
 * Reads all keys page by page. Inside a transaction the rows stay locked, so that no other process
 * destroys or wraps them meanwhile.
 */
async function* pages(client: pg.PoolClient): AsyncGenerator<readonly WrappedKey[]> {
  for (let last = ['', '']; ; ) {
    const { rows } = await client.query<WrappedKey>(
      `SELECT organisation_id, purpose, key_id, wrapped FROM data_keys
       WHERE (organisation_id, purpose) > ($1, $2)
       ORDER BY organisation_id, purpose LIMIT $3 FOR UPDATE`,
      [...last, pageSize],
    );
    const final = rows.at(-1);
    if (final === undefined) return;
    yield rows;
    last = [final.organisation_id, final.purpose];
  }
}

function open(row: WrappedKey, masterKeys: MasterKeys) {
  const opened = unwrapKey(row, masterKeys);
  if (opened === null) throw new MasterKeyMismatch(row.organisation_id);
  return opened;
}
