import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../../src/event-store/database.ts';
import type { RowDifference } from '../../../src/subscriptions/compare-tables.ts';

/** Prefixes of streams whose id may be the key of a row. */
const prefixes = ['proof', 'document', 'key', 'webhook', 'run', 'organisation'] as const;
const ulid = /^[0-9A-HJKMNP-TV-Z]{26}/;

/** Organisation of a row of a read model, by its own columns or by its events; null if unknown. */
export async function ownerOf(
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
