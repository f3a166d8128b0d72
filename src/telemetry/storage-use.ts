import type pg from 'pg';

/** Stored files of all organisations. */
export interface StorageUse {
  readonly bytes: number;
  /** Organisations whose files have at least 90 % of their storage allowance. */
  readonly nearlyFull: number;
}

/** Reads the storage that organisations use. `defaultBytes` is the allowance of the configuration. */
export async function readStorageUse(
  client: pg.ClientBase,
  defaultBytes: number | null,
): Promise<StorageUse> {
  // The read model does not exist before the first start.
  const view = await client.query<{ name: string | null }>(
    `SELECT to_regclass('stored_files')::text AS name`,
  );
  if ((view.rows[0]?.name ?? null) === null) return { bytes: 0, nearlyFull: 0 };
  const { rows } = await client.query<{ bytes: string | number; full: string | number }>(
    `SELECT coalesce(sum(bytes), 0)::bigint AS bytes,
       count(*) FILTER (WHERE NOT unlimited AND
         bytes >= 0.9 * coalesce(allowance_bytes, $1::bigint)) AS full
     FROM stored_files`,
    [defaultBytes],
  );
  const [row] = rows;
  return { bytes: Number(row?.bytes ?? 0), nearlyFull: Number(row?.full ?? 0) };
}
