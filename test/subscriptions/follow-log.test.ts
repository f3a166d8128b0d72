import { setTimeout as delay } from 'node:timers/promises';
import {
  EMPTY,
  firstValueFrom,
  NEVER,
  type Observable,
  Subject,
  take,
  timeout,
  toArray,
} from 'rxjs';
import { type Test, test } from 'tap';
import type { LogPage } from '../../src/event-store/log-page.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { followLog } from '../../src/subscriptions/follow-log.ts';
import { type LogSignal, openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { openStreamWatch } from '../../src/subscriptions/stream-watch.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { until } from '../support/until.ts';

const marksOf = (events: readonly StoredEvent[]) =>
  events.map((event) => (event.type === 'AccountRetired' ? event.data.account : event.type));

const patienceMs = 90_000;

/** Resolves when the followed log has `count` events. Rejects if no page comes within `patienceMs`. */
async function collect(batches: Observable<LogPage>, count: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    const subscription = batches.pipe(timeout({ each: patienceMs })).subscribe({
      next: ({ events }) => {
        found.push(...events);
        if (found.length < count) return;
        resolve();
        setImmediate(() => subscription.unsubscribe());
      },
      error: reject,
    });
  });
  return found;
}

test('follows the log from a position on, complete and in order', async (t) => {
  const { store, url } = await createTestStore(t);
  const signal = openLogSignal(url);
  t.teardown(() => signal.close());
  await store.append([markedEntry('s', 0, 'a', 'b', 'c', 'd', 'e')], {});
  const following = collect(followLog({ store, signal, after: 1, limit: 2 }), 24);
  for (let n = 0; n < 20; n += 1) await store.append([markedEntry(`t-${n}`, 0, `n-${n}`)], {});
  const events = await following;
  t.strictSame(marksOf(events).slice(0, 5), ['b', 'c', 'd', 'e', 'n-0']);
  t.strictSame(
    events.map(({ position }) => position),
    Array.from({ length: 24 }, (_, index) => index + 2),
  );
});

test('skips a stretch of other types', async (t) => {
  const { store } = await createTestStore(t);
  await store.append([markedEntry('s', 0, 'a', 'b', 'c')], {});
  t.match(await store.readPage(0, 10, ['LogOpened']), { events: [], position: 3 });
  t.match(await store.readPage(1, 1, ['AccountRetired']), { position: 2 });
  t.match(await store.readPage(3, 10), { events: [], position: 3 });
});

const never = 2 ** 31 - 1;
const endConnections = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'proofmark signal'`;

/** Follows a log on a signal; `quiet` waits until nothing of this connection is left to cause a reading. */
async function follow(t: Test, options: { pollMs: number; channel?: string }, count: number) {
  const site = await createTestStore(t);
  const errors: Error[] = [];
  let [connected, reading] = [0, 0];
  const onConnected = () => {
    connected += 1;
  };
  const onError = (error: Error) => errors.push(error);
  const signal = openLogSignal(site.url, { ...options, onConnected, onError });
  t.teardown(() => signal.close());
  const readPage: typeof site.store.readPage = async (...of) => {
    reading += 1;
    return site.store.readPage(...of).finally(() => {
      reading -= 1;
    });
  };
  const following = collect(followLog({ store: { readPage }, signal, after: 0 }), count);
  const quiet = (connection: number) =>
    until(
      `connection ${connection} is quiet`,
      async () => connected === connection && reading === 0,
    );
  return { ...site, following, quiet, errors };
}

test('a notification arrives without any poll', async (t) => {
  const { store, following, quiet } = await follow(t, { pollMs: never }, 1);
  await quiet(1);
  await store.append([markedEntry('s', 0, 'quick')], {});
  t.strictSame(marksOf(await following), ['quick']);
});

test('lost notifications cause only a delay, since the log is polled too', async (t) => {
  const options = { pollMs: 40, channel: 'proofmark_nobody' };
  const { store, following, quiet } = await follow(t, options, 10);
  await quiet(1);
  for (let n = 0; n < 10; n += 1) await store.append([markedEntry(`s-${n}`, 0, `n-${n}`)], {});
  t.equal((await following).length, 10);
});

test('notifications continue after the connection was lost', async (t) => {
  const { store, pool, following, quiet, errors } = await follow(t, { pollMs: never }, 2);
  await quiet(1);
  await store.append([markedEntry('s', 0, 'one')], {});
  await pool.query(endConnections);
  await quiet(2);
  await store.append([markedEntry('t', 0, 'two')], {});
  t.strictSame(marksOf(await following), ['one', 'two']);
  t.ok(errors.length > 0, 'the connection was lost');
});

test('a signal closes at once in any state of its connection', async (t) => {
  const unreachable = openLogSignal('postgres://nobody@127.0.0.1:1/none');
  await unreachable.close();
  const { url } = await createTestStore(t);
  const early = openLogSignal(url);
  await early.close();
  t.strictSame(await firstValueFrom(early.hints.pipe(take(0), toArray())), []);
});

test('a watch reports exactly the appends to its stream', async (t) => {
  const { store, url } = await createTestStore(t);
  const other = openTestStore(t, url);
  await store.append([markedEntry('mine', 0, 'before')], {});
  const signal = openLogSignal(url, { pollMs: 50 });
  t.teardown(() => signal.close());
  const watch = await openStreamWatch({ store, signal });
  t.teardown(() => watch.close());
  t.equal(watch.reached(), 1);
  const changes = firstValueFrom(watch.changes('mine').pipe(take(3), toArray()));
  const twice = firstValueFrom(watch.changes('mine').pipe(take(1)));
  await other.store.append([markedEntry('theirs', 0, 'x')], {});
  await other.store.append([markedEntry('mine', 1, 'y', 'z')], {});
  await store.append([markedEntry('mine', 3, 'last')], {});
  t.strictSame(
    (await changes).map(({ position, stream }) => [position, stream]),
    [
      [3, 'mine'],
      [4, 'mine'],
      [5, 'mine'],
    ],
  );
  t.match(await twice, { position: 3, type: 'AccountRetired' });
  t.equal(watch.reached(), 5);
});

test('a watch survives an outage of the database', async (t) => {
  const { store } = await createTestStore(t);
  const hints = new Subject<void>();
  const signal: LogSignal = { hints, close: async () => {} };
  let broken = false;
  const errors: unknown[] = [];
  const flaky = {
    ...store,
    readHeaders: (after: number, limit: number) =>
      broken ? Promise.reject(new Error('away')) : store.readHeaders(after, limit),
  };
  const watch = await openStreamWatch({
    store: flaky,
    signal,
    onError: (error) => errors.push(error),
  });
  t.teardown(() => watch.close());
  const change = firstValueFrom(watch.changes('s'));
  await delay(20);
  broken = true;
  await store.append([markedEntry('s', 0, 'x')], {});
  hints.next();
  await until('the error is reported', async () => errors.length > 0);
  t.equal(errors.length, 1);
  broken = false;
  t.match(await change, { position: 1 }, 'no event was missed');
});

test('without hints the log is read once, at the start', async (t) => {
  const { store } = await createTestStore(t);
  await store.append([markedEntry('s', 0, 'x')], {});
  for (const hints of [EMPTY, NEVER]) {
    const signal: LogSignal = { hints, close: async () => {} };
    t.equal((await collect(followLog({ store, signal, after: 0 }), 1)).length, 1);
  }
});
