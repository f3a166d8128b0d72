import { projections } from '../../projections/registry.ts';
import { openBuildReaders } from '../database-threads/open-build-readers.ts';
import type { DatabaseThreads } from '../database-threads/start-database-threads.ts';
import { foldElsewhere } from '../subscriptions/fold-elsewhere.ts';
import { runProjection } from '../subscriptions/run-projection.ts';
import { createSkipIdle } from '../subscriptions/skip-idle.ts';
import { openWorkLocks } from '../subscriptions/work-locks.ts';
import { traceProjection } from '../telemetry/trace-projection.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';

/** Starts folding the log into every projection. A newer version of a projection is built anew. */
export function startProjectors(
  program: Program,
  core: Core,
  { fold }: Pick<DatabaseThreads, 'fold'>,
): void {
  const { log, parts, telemetry } = program;
  const { trace } = telemetry;
  const { url, masterKeys, database, store, signal, tail } = core;
  // Connects only if a projection must be built.
  const locks = openWorkLocks(url, {
    onLost: (err) =>
      log.warn({ err }, 'lost the lock on building a projection; another process may take over'),
  });
  parts.add('work locks of projections', () => locks.close());
  // Starts threads only if a projection must be built from a large log.
  const readers = openBuildReaders({ url, masterKeys });
  parts.add('threads that read for builds', () => readers.close());
  const skipIdle = createSkipIdle(database.repeated);
  for (const projection of projections) {
    const { name, version, largeTypes } = projection;
    const elsewhere = () => {
      if (trace === null) return fold(name);
      const attributes = { 'proofmark.projection.name': name };
      return trace({ name: `project ${name}`, parent: null, attributes }, () => fold(name));
    };
    const { db, repeated } = database;
    const foldNext =
      largeTypes && foldElsewhere({ db, store: tail }, projection, largeTypes, elsewhere);
    const running = runProjection({
      db,
      repeated,
      store,
      ...(foldNext && { foldNext }),
      skipIdle,
      locks,
      readers,
      signal,
      tail,
      projection: trace === null ? projection : traceProjection(projection, trace),
      onError: (err) =>
        log.warn({ err, projection: name }, 'projection failed to fold events; retrying'),
      onVersionLive: (position) =>
        log.info({ projection: name, version, position }, 'new version of a projection is live'),
      onOtherVersion: (live) =>
        log.warn(
          { projection: name, version, live },
          `this release does not update the read model ${name}: its live build has version ${live}, this ` +
            `release version ${version}; start a process of version ${live}, or run ` +
            `\`ops projection rollback ${name}\``,
        ),
    }).subscribe();
    parts.add(`${name} projector`, () => running.unsubscribe());
  }
}
