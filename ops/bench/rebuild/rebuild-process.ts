import { projections } from '../../../projections/registry.ts';
import { openBuildReaders } from '../../../src/database-threads/open-build-readers.ts';
import { eachProjection } from '../../../src/subscriptions/each-projection.ts';
import {
  fillAnew,
  goLive,
  type Rebuilding,
  type RebuildProgress,
  rebuildProjection,
} from '../../../src/subscriptions/rebuild-projection.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { round } from '../harness/figures.ts';
import { serveParent } from '../harness/helper-process.ts';
import { openStore } from '../harness/open-store.ts';

/** Orders to a process that only rebuilds projections, as `ops projection rebuild` does. */
export type RebuildOrders = {
  open(input: { readonly url: string; readonly masterKey: string }): void;
  /** Makes a first build that folds the whole log. */
  build(name: string): Promise<void>;
  rebuild(name: string): Promise<PhaseTimes>;
  /** Rebuilds them as `ops projection rebuild --all` does. */
  rebuildAll(names: readonly string[]): Promise<{ readonly seconds: number }>;
};

export interface PhaseTimes {
  readonly outcome: string;
  readonly events: number;
  /** Duration of the rebuild; `phases` has the duration of each phase. */
  readonly seconds: number;
  readonly phases: Readonly<Record<string, number>>;
  readonly processorMs: number;
}

let opened: Pick<Rebuilding, 'db' | 'store' | 'locks' | 'readers'> | null = null;

serveParent<RebuildOrders>({
  open({ url, masterKey }) {
    const key = Buffer.from(masterKey, 'base64');
    const { db, store } = openStore(url, { masterKey: key, maxConnections: 16 });
    const readers = openBuildReaders({ url, masterKeys: { present: key } });
    opened = { db, store, readers, locks: openWorkLocks(url) };
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
  async rebuildAll(names) {
    const startedAt = performance.now();
    const wanted = projections.filter(({ name }) => names.includes(name));
    const rebuilt = await eachProjection(wanted, ({ name }) =>
      rebuildProjection(rebuildingOf(name)),
    );
    if (rebuilt.some(({ outcome }) => outcome !== 'swapped')) throw new Error('rows differ');
    return { seconds: round((performance.now() - startedAt) / 1_000, 2) };
  },
});

function rebuildingOf(name: string): Rebuilding {
  const projection = projections.find((one) => one.name === name);
  if (projection === undefined || opened === null) throw new Error(`${name} cannot be rebuilt`);
  return { ...opened, projection };
}
