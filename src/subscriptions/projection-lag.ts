import type { Kysely } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** How many events each live projection is behind the head of the log. */
export async function projectionLag(
  db: Kysely<StoreTables>,
  store: Pick<EventStore, 'head'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // Positions first: a projection may pass a head that was read before.
  const rows = await db
    .selectFrom('checkpoints')
    .select(['name', 'position'])
    .where('status', '=', 'live')
    .where('name', 'in', [...names])
    .execute();
  const head = await store.head();
  const positions = new Map(rows.map((row) => [row.name, row.position]));
  return new Map(names.map((name) => [name, Math.max(0, head - (positions.get(name) ?? 0))]));
}
