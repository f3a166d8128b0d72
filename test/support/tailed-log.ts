import type pg from 'pg';
import { Subject } from 'rxjs';
import type { Test } from 'tap';
import { AppendedRows } from '../../src/event-store/appended-rows.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { createLogRows, type LargeEvents } from '../../src/event-store/log-rows.ts';
import type { WindowLimits } from '../../src/event-store/log-window.ts';
import type { LogSignal } from '../../src/subscriptions/log-signal.ts';
import { createLogTail, type LogTail } from '../../src/subscriptions/log-tail.ts';
import type { TestStore } from './event-store.ts';

export interface TailedLog {
  readonly tail: LogTail;
  /**
   * Store from which the tail reads for followers that are behind. The tail does not read its
   * appends again.
   */
  readonly store: EventStore;
  readonly signal: LogSignal;
  hint(): void;
  /** Numbers of statements since the last call: by the tail, and by followers reading for themselves. */
  count(): { tail: number; own: number };
  /** While true, statements of the tail and of the store fail as if the database were down. */
  away: boolean;
  /**
   * Holds back the database's next answer. Resolves, once that has come, with a function that releases it.
   */
  holdNext(): Promise<() => void>;
  /** The database that the tail and the store read; a test can replace it. */
  database: Pick<TestStore, 'pool'>;
}

/** Opens a tail of the log with hints from the test and counted statements. Keys are not cached. */
export function tailLog(
  t: Pick<Test, 'teardown'>,
  test: TestStore,
  options: { readonly limits?: Partial<WindowLimits>; readonly large?: LargeEvents } = {},
): TailedLog {
  const { limits = {}, large = { types: ['RunRecorded'], aboveBytes: 0 } } = options;
  const hints = new Subject<void>();
  const counted = { tail: 0, own: 0 };
  let hold: ((release: () => void) => void) | null = null;
  const poolOf = (reader: 'tail' | 'own') =>
    // The readers call only `query` of a pool, with a configuration.
    ({
      query: async (config: pg.QueryConfig) => {
        counted[reader] += 1;
        if (site.away) throw Object.assign(new Error('no database'), { code: 'ECONNREFUSED' });
        const answer = await site.database.pool.query(config);
        const { promise, resolve } = Promise.withResolvers<void>();
        if (hold === null) return answer;
        hold(resolve);
        hold = null;
        await promise;
        return answer;
      },
    }) as unknown as pg.Pool;
  const keyring = createKeyring(test.pool, test.masterKey, 0);
  const appended = new AppendedRows();
  const store = createEventStore({ pool: poolOf('own'), keyring, appended });
  const rows = createLogRows(poolOf('tail'), large, test.highWater, appended);
  const signal: LogSignal = { hints, close: async () => {} };
  const tail = createLogTail({ store, rows, keyring, signal, limits });
  t.teardown(() => tail.close());
  const site: TailedLog = {
    tail,
    store,
    signal,
    hint: () => hints.next(),
    count: () => {
      const { ...before } = counted;
      Object.assign(counted, { tail: 0, own: 0 });
      return before;
    },
    away: false,
    holdNext: () =>
      new Promise((resolve) => {
        hold = resolve;
      }),
    database: test,
  };
  return site;
}
