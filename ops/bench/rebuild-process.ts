import { projections } from '../../projections/registry.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { type Database, openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import {
  fillAnew,
  goLive,
  type Rebuilding,
  type RebuildProgress,
  rebuildProjection,
} from '../../src/subscriptions/rebuild-projection.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { serveOrders } from './helper-process.ts';
import { round } from './machine.ts';

/** A process that rebuilds as `ops projection rebuild` does, and nothing else. */
export type RebuildOrders = {
  open(input: { readonly url: string; readonly masterKey: string }): void;
  /** A first build, which lets the projection have all of the log. */
  build(name: string): Promise<void>;
  rebuild(name: string): Promise<PhaseTimes>;
};

export interface PhaseTimes {
  readonly outcome: string;
  readonly events: number;
  /** Of all of it, and of its phases. */
  readonly seconds: number;
  readonly phases: Readonly<Record<string, number>>;
  readonly processorMs: number;
}

let opened: (Database & Pick<Rebuilding, 'store' | 'locks'>) | null = null;

serveOrders<RebuildOrders>({
  open({ url, masterKey }) {
    const database = openDatabase(url, { maxConnections: 4 });
    const keyring = createKeyring(database.pool, Buffer.from(masterKey, 'base64'));
    const store = createEventStore({ pool: database.pool, keyring });
    opened = { ...database, store, locks: openWorkLocks(url) };
  },
  async build(name) {
    const build = await fillAnew(rebuildingOf(name), { mayLead: true });
    await goLive(rebuildingOf(name), build, { mayLead: true });
  },
  async rebuild(name) {
    const phases: Record<string, number> = {};
    let since = performance.now();
    let phase = 'reading';
    const turnTo = (next: string) => {
      phases[phase] = (phases[phase] ?? 0) + (performance.now() - since) / 1_000;
      since = performance.now();
      phase = next;
    };
    const onProgress = (progress: RebuildProgress) => {
      if (progress.phase !== phase) turnTo(progress.phase);
    };
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    const { outcome, position } = await rebuildProjection({ ...rebuildingOf(name), onProgress });
    turnTo('over');
    const { user, system } = process.cpuUsage(cpu);
    return {
      outcome,
      events: position,
      seconds: round((performance.now() - startedAt) / 1_000, 2),
      phases: Object.fromEntries(
        Object.entries(phases).map(([name, seconds]) => [name, round(seconds, 2)]),
      ),
      processorMs: round((user + system) / 1_000),
    };
  },
});

function rebuildingOf(name: string): Rebuilding {
  const projection = projections.find((one) => one.name === name);
  if (projection === undefined || opened === null) throw new Error(`${name} cannot be rebuilt`);
  const { db, store, locks } = opened;
  return { db, store, locks, projection };
}
