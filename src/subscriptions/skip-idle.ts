import { type Kysely, sql } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { SeenEvent } from '../event-store/high-water-mark.ts';
import { createReadCoalescer } from '../event-store/read-coalescer.ts';

/** A stretch of the log without events of a projection. */
export interface IdleStretch {
  readonly name: string;
  readonly version: number;
  /** Position of the projection's checkpoint. */
  readonly from: number;
  /** Last event of the stretch. */
  readonly end: SeenEvent;
}

/**
 * Moves the checkpoint of the projection's live build to the end of the stretch. Resolves with
 * false, and changes nothing, if the checkpoint is locked, stands elsewhere, belongs to another
 * version, or if the database lacks the last event.
 */
export type SkipIdle = (stretch: IdleStretch) => Promise<boolean>;

/**
 * Skips idle stretches of several projections in one statement, which is one transaction. Most
 * projections have nothing to fold while proofs are made.
 */
export function createSkipIdle(db: Kysely<StoreTables>): SkipIdle {
  const skip = createReadCoalescer(async (stretches: readonly IdleStretch[]) => {
    const { rows } = await sql<{ readonly name: string }>`
      UPDATE checkpoints AS own SET position = idle.reached
      FROM (
        SELECT c.name, c.build, w.reached
        FROM unnest(
          ${stretches.map(({ name }) => name)}::text[],
          ${stretches.map(({ version }) => version)}::int[],
          ${stretches.map(({ from }) => from)}::bigint[],
          ${stretches.map(({ end }) => end.position)}::bigint[],
          ${stretches.map(({ end }) => end.leaf)}::bytea[]
        ) AS w(name, version, position, reached, leaf)
        JOIN checkpoints c ON c.name = w.name AND c.status = 'live'
          AND c.version = w.version AND c.position = w.position
        WHERE EXISTS (SELECT FROM events e WHERE e.position = w.reached AND e.leaf = w.leaf)
        FOR UPDATE OF c SKIP LOCKED
      ) AS idle
      WHERE own.name = idle.name AND own.build = idle.build
      RETURNING own.name`.execute(db);
    const moved = new Set(rows.map(({ name }) => name));
    return new Map(stretches.map((stretch) => [stretch, moved.has(stretch.name)]));
  });
  return async (stretch) => (await skip([stretch])).get(stretch) ?? false;
}
