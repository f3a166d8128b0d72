import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ulid } from 'ulid';
import { openLog } from '../../src/commands/open-log.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { type AppendSummary, type AppendVariant, runAppenders, summarise } from './appenders.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { describeDisk } from './disk.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { openBenchPostgres } from './open-bench-postgres.ts';
import { progress } from './progress.ts';
import { createRequestedEvents } from './requested-events.ts';

export interface AppendOptions {
  readonly callers: number;
  /** Measured, of each variant. */
  readonly seconds: number;
  readonly rounds: number;
}

/** The ratio to one transaction per event, whichever way of making those is faster here. */
const target = { eventsPerSecond: 15_000, ratio: 4 } as const;
const warmUpMs = 2_500;
const pauseMs = 250;

/**
 * Coalesced appends of single events against one transaction per event, in turn on the same
 * database, which is as durable as in production. PostgreSQL is the server, the callers are in this
 * process. The variants run the very same code: coalesced, all callers share one event store; one
 * transaction per event, each has one of its own, in which there is never anything to coalesce.
 */
export function benchAppend(options: AppendOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ callers, seconds, rounds }: AppendOptions, cleanUp: CleanUp) {
  const startLoad = loadAverage();
  const { pool, disk, serverPid, openStore } = await startDatabase(callers, cleanUp);
  const { rows } = await pool.query<{ version: string }>('SELECT version()');
  const store = openStore();
  await openLog({ store, newId: () => ulid() }, { actor: 'start' });
  const organisationId = ulid() as OrganisationId;
  await store.createKeys(organisationId);
  const next = createRequestedEvents(organisationId);
  const ownStores = Array.from({ length: callers }, openStore);
  const variants: readonly AppendVariant[] = [
    {
      name: 'coalesced',
      stores: Array.from({ length: callers }, () => store),
      runs: [],
      acknowledged: 0,
    },
    { name: 'oneTransactionPerEvent', stores: ownStores, runs: [], acknowledged: 0 },
    { name: 'oneCaller', stores: [store], runs: [], acknowledged: 0 },
  ];

  for (const variant of variants) {
    progress(`warming up: ${variant.name}`);
    await runAppenders(variant, next, { ms: warmUpMs, serverPid });
  }
  const ms = (seconds * 1_000) / rounds;
  for (let number = 1; number <= rounds; number += 1) {
    for (const variant of variants) {
      await delay(pauseMs);
      const run = await runAppenders(variant, next, { ms, serverPid });
      variant.runs.push(run);
      progress(`round ${number}/${rounds}, ${variant.name}: ${Math.round(run.perSecond)} events/s`);
    }
  }

  const [coalesced, single, oneCaller] = variants.map(summarise);
  if (!coalesced || !single || !oneCaller) throw new Error('unreachable');
  const times = (other: AppendSummary) =>
    round(coalesced.eventsPerSecond / other.eventsPerSecond, 2);
  const ratio = { toConcurrentCallers: times(single), toOneCaller: times(oneCaller) };
  return {
    benchmark: 'append',
    machine: await describeMachine(rows[0]?.version ?? 'unknown'),
    disk,
    loadAverage: { start: startLoad, end: loadAverage() },
    setting: {
      event: 'ProofRequested with sealed fields, alone, to a new stream',
      callers,
      rounds,
      secondsPerRound: seconds / rounds,
      server: 'PostgreSQL, embedded, durable',
      clients: 'callers in the process of the benchmark; each awaits its append before the next',
    },
    results: { coalesced, oneTransactionPerEvent: single, oneCaller },
    ratio,
    eventsInLog: await checkLog(store, variants),
    target,
    met:
      coalesced.eventsPerSecond >= target.eventsPerSecond &&
      Math.min(...Object.values(ratio)) >= target.ratio,
  };
}

async function startDatabase(callers: number, cleanUp: CleanUp) {
  const { dataDir, postgres } = await openBenchPostgres(cleanUp);
  const { pool, close } = openDatabase(postgres.url, { maxConnections: callers });
  cleanUp.defer(close);
  const keyring = createKeyring(pool, randomBytes(32));
  const openStore = (): EventStore => createEventStore({ pool, keyring });
  return { pool, disk: await describeDisk(dataDir), serverPid: postgres.pid, openStore };
}

/** Every append that was acknowledged is in the log, and no other. */
async function checkLog(store: EventStore, variants: readonly AppendVariant[]): Promise<number> {
  const head = await store.head();
  const [logOpened, ...more] = await store.readHeaders(0, 2);
  if (logOpened?.type !== 'LogOpened' || more.length === 0) throw new Error('the log is not ours');
  const acknowledged = variants.reduce((sum, variant) => sum + variant.acknowledged, 0);
  if (head !== acknowledged + 1) {
    throw new Error(`${acknowledged} events were acknowledged, the log holds ${head - 1} of them`);
  }
  return head;
}
