import { type Kysely, sql } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { Build } from './projection-builds.ts';
import { rebuildLock } from './rebuild-projection.ts';

/** State and lag of one build of a projection. */
export interface BuildStanding {
  readonly name: string;
  readonly build: number;
  readonly version: number;
  readonly position: number;
  /**
   * `live`: read by queries. `behind`: read by queries, but more than 5 s behind the head of the
   * log. `building`: its builder runs. `interrupted`: its builder ended. `kept`: available for a
   * rollback.
   */
  readonly state: 'live' | 'behind' | 'building' | 'interrupted' | 'kept';
  /** Number of events after its position. */
  readonly lagEvents: number;
  /** Age of the first event after its position; 0 if there is none. */
  readonly lagSeconds: number;
}

const behindSeconds = 5;

/**
 * Returns all builds of the named projections: projections in the given order, oldest build first.
 */
export async function projectionStandings(
  db: Kysely<StoreTables>,
  names: readonly string[],
  now: Date,
): Promise<readonly BuildStanding[]> {
  const locks = names.map(rebuildLock);
  // `pg_locks` shows the key of an advisory lock in two halves.
  const { rows } = await sql<Row>`
    SELECT c.name, c.build, c.version, c.status, c.position, e.recorded_at,
           greatest(0, h.position - c.position) AS lag, l.held
    FROM unnest(${names}::text[], ${locks}::text[]) WITH ORDINALITY AS wanted(name, lock, ordinal)
    JOIN checkpoints c USING (name)
    CROSS JOIN log_head h
    LEFT JOIN events e ON e.position = c.position + 1
    CROSS JOIN LATERAL (
      SELECT EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND objsubid = 1
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (classid::bigint << 32) | objid::bigint = hashtextextended(wanted.lock, 0)
      ) AS held
    ) l
    ORDER BY wanted.ordinal, c.build`.execute(db);
  return rows.map((row) => {
    const since = row.recorded_at === null ? now : new Date(row.recorded_at);
    const lagSeconds = Math.max(0, (now.getTime() - since.getTime()) / 1_000);
    const { name, build, version, position } = row;
    return {
      name,
      build,
      version,
      position,
      state: stateOf(row, lagSeconds),
      ...lag(row, lagSeconds),
    };
  });
}

interface Row extends Build {
  readonly name: string;
  readonly recorded_at: string | null;
  readonly lag: number;
  readonly held: boolean;
}

function lag(row: Row, lagSeconds: number) {
  return { lagEvents: row.lag, lagSeconds: Math.round(lagSeconds * 10) / 10 };
}

function stateOf({ status, held }: Row, lagSeconds: number): BuildStanding['state'] {
  switch (status) {
    case 'live':
      return lagSeconds > behindSeconds ? 'behind' : 'live';
    case 'building':
      return held ? 'building' : 'interrupted';
    case 'kept':
      return 'kept';
  }
}
