import type { Test } from 'tap';
import { openLog } from '../../src/commands/open-log.ts';
import { createLeaves, type Leaves } from '../../src/event-store/leaves.ts';
import type { LogReading } from '../../src/loading/load-log.ts';
import type { PublisherOptions } from '../../src/transparency-log/publish/publisher.ts';
import { PublishedLog } from '../../src/transparency-log/published/published-log.ts';
import { createTestStore, type TestStore, testDeps } from './event-store.ts';
import { markedEntry } from './marked-event.ts';
import { MemoryLogFiles } from './memory-log-files.ts';

export const logSeed = Buffer.alloc(32, 3);

/** The same log, as if it were in this epoch after a restore. */
export function inEpoch<Store extends LogReading>(store: Store, epoch: number): Store {
  const restored = { type: 'LogRestored', version: 2, data: { epoch } };
  const readNewest = async () => {
    const [opened] = await store.readLog(0, 1);
    return [opened, restored] as never;
  };
  return { ...store, readNewest };
}

/** A log on a new database, and the files to which it is published. */
export interface PublishingSite {
  readonly database: TestStore;
  readonly leaves: Leaves;
  readonly files: MemoryLogFiles;
  readonly options: PublisherOptions;
  /** Appends this many events. */
  append(count: number): Promise<void>;
}

export async function openPublishingSite(
  t: Pick<Test, 'teardown'>,
  files = new MemoryLogFiles(),
): Promise<PublishingSite> {
  const database = await createTestStore(t, { maxConnections: 4 });
  const { store, pool, db } = database;
  await openLog({ ...testDeps, store }, {});
  const leaves = createLeaves(pool);
  const published = new PublishedLog(files);
  let stream = 0;
  return {
    database,
    leaves,
    files,
    options: { store, leaves, history: db, published, seeds: [logSeed] },
    async append(count) {
      for (let left = count; left > 0; left -= 1_000) {
        stream += 1;
        const marks = Array.from({ length: Math.min(left, 1_000) }, (_, at) => `${at}`);
        await store.append([markedEntry(`marked-${stream}`, 0, ...marks)], {});
      }
    },
  };
}

/** Options as if the database had lost all events after `head`, with `others` in their place. */
export function wentBack(site: PublishingSite, head: number, others: readonly Buffer[] = []) {
  const { store, leaves } = site.options;
  return {
    ...site.options,
    store: { ...store, head: async () => head + others.length },
    leaves: {
      async read(after: number, limit: number) {
        const kept = await leaves.read(after, Math.max(0, Math.min(limit, head - after)));
        return [...kept, ...others.slice(Math.max(0, after - head))].slice(0, limit);
      },
    },
  };
}
