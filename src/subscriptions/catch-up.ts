import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { StoreTables } from '../event-store/database.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { ProjectionBehind } from './await-position.ts';
import type { LogFolder } from './projection.ts';
import { findLiveBuild } from './projection-builds.ts';
import { projectNext } from './projector.ts';

const lookAgainMs = 20;

/**
 * Brings the live builds of the projections up to `position`, whether or not another process is
 * projecting. Folds a projection here if no process holds its lock, and otherwise waits for the
 * holder. The tables must exist (`prepareProjection`). Rejects with `ProjectionBehind` after
 * `timeoutMs` without progress (default 30 s).
 */
export async function catchUp(options: {
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  readonly projections: readonly LogFolder[];
  readonly position: number;
  readonly timeoutMs?: number;
}): Promise<void> {
  const { db, store, projections, position, timeoutMs = 30_000 } = options;
  for (const projection of projections) {
    let until = performance.now() + timeoutMs;
    let reached = -1;
    for (;;) {
      const live = await findLiveBuild(db, projection.name);
      if (live !== null && live.position >= position) break;
      if (live !== null && live.position > reached) {
        reached = live.position;
        until = performance.now() + timeoutMs;
      }
      if (performance.now() >= until) throw new ProjectionBehind(projection.name, position);
      // Only the program of the live version can fold it.
      const ours = live?.version === projection.version;
      const folded = ours ? await projectNext(db, store, projection) : null;
      if (folded === null) await delay(lookAgainMs);
    }
  }
}
