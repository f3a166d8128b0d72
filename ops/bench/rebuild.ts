import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { projections } from '../../projections/registry.ts';
import { openLog } from '../../src/commands/open-log.ts';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { createBenchFolder } from './bench-folder.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { readCpuUse } from './cpu-use.ts';
import { startHelper } from './helper-process.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { appendMixedLog } from './mixed-log.ts';
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
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const postgres = await startEmbeddedPostgres({ dataDir });
  cleanUp.defer(() => postgres.stop());
  await migrateToLatest(postgres.url);
  const { pool, db, close } = openDatabase(postgres.url, { maxConnections: 4 });
  cleanUp.defer(close);
  const masterKey = randomBytes(32);
  const store = createEventStore({ pool, keyring: createKeyring(pool, masterKey) });
  await openLog({ store, newId: () => ulid() }, { actor: 'start' });
  const startedAt = performance.now();
  await appendMixedLog({
    store,
    organisation: newOrganisation(),
    events,
    onProgress: (appended) => progress(`appended ${appended} of ${events} events`),
  });
  const appendSeconds = round((performance.now() - startedAt) / 1_000, 1);
  await pool.query('VACUUM ANALYZE events');
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

function newOrganisation() {
  const workspaceIds = Array.from({ length: 5 }, () => ulid() as WorkspaceId);
  return { organisationId: ulid() as OrganisationId, workspaceIds };
}
