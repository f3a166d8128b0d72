import { projections } from '../../../projections/registry.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { benchmark, count, optionalNames } from '../harness/benchmark.ts';
import { round } from '../harness/figures.ts';
import { startHelper } from '../harness/helper-process.ts';
import { watchResidentMemory } from '../harness/memory.ts';
import { watchProcessorTimes } from '../harness/processor-times.ts';
import { progress } from '../harness/progress.ts';
import { openFilledLog } from '../samples/mixed-log.ts';
import type { RebuildOrders } from './rebuild-process.ts';

const targetPerSecond = 150_000;

/**
 * `ops projection rebuild` of every projection from a typical log, on the embedded PostgreSQL, in a
 * separate process: reading, decrypting, folding, indexing, comparing with the live build,
 * swapping. The rate counts the events of the log up to the position of the build.
 */
export const rebuild = benchmark({
  name: 'rebuild',
  description: 'projections rebuilt from the log, compared and swapped',
  options: {
    events: count('events in the log', 1_000_000),
    only: optionalNames('rebuilds these projections, separated by commas (default: all)'),
  },
  async measure({ events, only }, cleanUp) {
    const log = await openFilledLog(cleanUp, events);
    const { postgres, pool, db, store, masterKey, appendSeconds } = log;
    const { rows: types } = await pool.query(
      `SELECT type, count(*) AS events, round(avg(octet_length(data))) AS bytes
       FROM events GROUP BY type ORDER BY 2 DESC`,
    );

    const helper = startHelper<RebuildOrders>(
      new URL('./rebuild-process.ts', import.meta.url),
      cleanUp,
    );
    await helper.ask('open', { url: postgres.url, masterKey: masterKey.toString('base64') });
    const wanted = projections.filter(({ name }) => !only || only.includes(name));
    const measured = [];
    for (const projection of wanted) {
      const { name } = projection;
      await prepareProjection(db, projection);
      await helper.ask('build', name);
      const timesSince = await watchProcessorTimes({ postgres: postgres.pid });
      const memory = watchResidentMemory(helper.pid);
      const { processorMs, ...times } = await helper.ask('rebuild', name);
      const used = await timesSince();
      const eventsPerSecond = Math.round(times.events / times.seconds);
      progress(`${name}: ${eventsPerSecond} events/s`);
      measured.push({
        projection: name,
        eventsPerSecond,
        ...times,
        processorMs: {
          rebuild: processorMs,
          postgres: round(used.postgres),
          machine: round(used.machine),
        },
        residentMib: memory(),
        met: times.outcome === 'swapped' && eventsPerSecond >= targetPerSecond,
      });
    }
    const seconds = measured.reduce((sum, one) => sum + one.seconds, 0);
    const slowest = Math.max(...measured.map((one) => one.seconds));
    const memory = watchResidentMemory(helper.pid);
    const all = await helper.ask(
      'rebuildAll',
      wanted.map(({ name }) => name),
    );
    return {
      postgres,
      setting: { events: await store.head(), appendSeconds, types },
      targetPerSecond,
      met: measured.every(({ met }) => met),
      projections: measured,
      allOneAfterTheOther: { seconds: round(seconds, 1) },
      allAtTheSameTime: {
        seconds: all.seconds,
        timesTheSlowest: round(all.seconds / slowest, 2),
        residentMib: memory(),
      },
    };
  },
});
