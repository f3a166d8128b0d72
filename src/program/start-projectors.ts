import { projections } from '../../projections/registry.ts';
import { runProjector } from '../subscriptions/projector.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';

/** Starts folding the log into every projection. */
export function startProjectors({ log, parts }: Program, { database, store, signal }: Core): void {
  for (const projection of projections) {
    const running = runProjector({
      db: database.db,
      store,
      signal,
      projection,
      onError: (err) => log.warn({ err, projection: projection.name }, 'projecting is tried again'),
    }).subscribe();
    parts.add(`${projection.name} projector`, () => running.unsubscribe());
  }
}
