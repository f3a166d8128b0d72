import type { Kysely } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** Lag of the live build of a projection. */
interface LiveLag {
  /** Number of events after the position of the live build. */
  readonly events: number;
  /** Version of the code that writes the live build; null without a live build. */
  readonly version: number | null;
}

/** Returns how far the live build of each projection is behind the head of the log. */
export async function projectionLag(
  db: Kysely<StoreTables>,
  store: Pick<EventStore, 'head'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, LiveLag>> {
  // Read the positions first: a projection may pass a head that was read earlier.
  const rows = await db
    .selectFrom('checkpoints')
    .select(['name', 'version', 'position'])
    .where('status', '=', 'live')
    .where('name', 'in', [...names])
    .execute();
  const head = await store.head();
  const live = new Map(rows.map((row) => [row.name, row]));
  return new Map(
    names.map((name) => {
      const { position = 0, version = null } = live.get(name) ?? {};
      return [name, { events: Math.max(0, head - position), version }];
    }),
  );
}
