import { findKeyAccesses, type KeyAccess } from '../../projections/access/query.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';

/** The access of the key with this hash (`hashApiKey`); null if there is no such key. */
export async function findKeyAccess(
  db: ReadModels,
  keyHash: string,
  now = new Date(),
): Promise<KeyAccess | null> {
  return (await findKeyAccesses(db, [keyHash], now)).get(keyHash) ?? null;
}
