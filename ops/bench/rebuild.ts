import { projections } from '../../projections/registry.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { readCpuUse } from './cpu-use.ts';
import { startHelper } from './helper-process.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { openFilledLog } from './open-filled-log.ts';
import { progress } from './progress.ts';
import type { RebuildOrders } from './rebuild-process.ts';
import { watchResidentMemory } from './resident-memory.ts';

export interface RebuildOptions {
  /** Of the log. */
  readonly events: number;
  /** Projections by name, separated by commas; absent for all. */
  readonly only?: string;
}

const targetPerSecond = 50_000;

/**
 * `ops projection rebuild` of every projection from a log of a service in use, on the embedded
 * PostgreSQL, in a process of its own: reading, opening, folding, indexing, comparing with the live
 * build, swapping. Events per second are those of the log that the rebuild has gone through.
 */
export function benchRebuild(options: RebuildOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ events, only }: RebuildOptions, cleanUp: CleanUp) {
  const startLoad = loadAverage();
  const { postgres, pool, db, store, masterKey, appendSeconds } = await openFilledLog(
    cleanUp,
    events,
  );
  const { rows: types } = await pool.query(
    `SELECT type, count(*) AS events, round(avg(octet_length(data))) AS bytes
     FROM events GROUP BY type ORDER BY 2 DESC`,
  );

  const helper = startHelper<RebuildOrders>('rebuild-process.ts');
  cleanUp.defer(() => helper.stop());
  await helper.ask('open', { url: postgres.url, masterKey: masterKey.toString('base64') });
  const wanted = projections.filter(({ name }) => !only || only.split(',').includes(name));
  const measured = [];
  for (const projection of wanted) {
    const { name } = projection;
    await prepareProjection(db, projection);
    await helper.ask('build', name);
    const before = await readCpuUse(postgres.pid);
    const memory = watchResidentMemory(helper.pid);
    const { processorMs, ...times } = await helper.ask('rebuild', name);
    const after = await readCpuUse(postgres.pid);
    const eventsPerSecond = Math.round(times.events / times.seconds);
    progress(`${name}: ${eventsPerSecond} events/s`);
    measured.push({
      projection: name,
      eventsPerSecond,
      ...times,
      processorMs: {
        rebuild: processorMs,
        postgres: round((after.server ?? 0) - (before.server ?? 0)),
        machine: round(after.machine - before.machine),
      },
      residentMib: memory(),
      met: times.outcome === 'swapped' && eventsPerSecond >= targetPerSecond,
    });
  }
  const seconds = measured.reduce((sum, one) => sum + one.seconds, 0);
  const { rows } = await pool.query<{ version: string }>('SELECT version()');
  return {
    benchmark: 'rebuild',
    machine: await describeMachine(rows[0]?.version ?? 'unknown'),
    loadAverage: { start: startLoad, end: loadAverage() },
    setting: { events: await store.head(), appendSeconds, types },
    targetPerSecond,
    met: measured.every(({ met }) => met),
    projections: measured,
    allOneAfterTheOther: { seconds: round(seconds, 1) },
  };
}
