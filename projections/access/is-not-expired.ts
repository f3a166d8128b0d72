import { type RawBuilder, sql } from 'kysely';

/** Condition that `expiresAt`, a column in ISO 8601 or NULL for never, is after `now`. */
export function isNotExpired(expiresAt: RawBuilder<unknown>, now: Date): RawBuilder<boolean> {
  return sql`(${expiresAt} IS NULL OR ${expiresAt} COLLATE "C" > ${now.toISOString()})`;
}
