import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Test, test } from 'tap';
import { isConnectionLoss, StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { VersionConflict } from '../../src/event-store/version-conflict.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';
import { createLossyProxy } from '../support/lossy-proxy.ts';
import { markedEntry, marksInLog } from '../support/marked-event.ts';
import { type Random, seededRandom } from '../support/seed.ts';

const loadMs = 2_500;

/** Outcome of one append: its position, a conflict, or unknown. */
interface Outcome {
  readonly mark: string;
  readonly result: number | 'conflict' | 'unknown';
}

/** Twelve writers per store, each on its own streams and on four shared ones. */
async function appendWhile(
  goesOn: () => boolean,
  stores: readonly EventStore[],
  random: Random,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const versions = new Map<string, number>();
  const attempt = async (store: EventStore, mark: string): Promise<Outcome['result']> => {
    const shared = `shared-${Math.floor(random() * 4)}`;
    const own = `own-${mark}`;
    const entries =
      random() < 0.5
        ? [markedEntry(own, 0, mark)]
        : [markedEntry(shared, versions.get(shared) ?? 0, mark), markedEntry(own, 0, mark, mark)];
    try {
      return (await store.append(entries, {})).firstPosition;
    } catch (error) {
      if (error instanceof StoreUnavailable) return 'unknown';
      if (!(error instanceof VersionConflict)) throw error;
      for (const { stream, actual } of error.conflicts) versions.set(stream, actual);
      return 'conflict';
    }
  };
  const write = async (store: EventStore, name: string) => {
    for (let n = 0; goesOn(); n += 1) {
      const mark = `${name}-${n}`;
      outcomes.push({ mark, result: await attempt(store, mark) });
    }
  };
  const writers = stores.flatMap((store, index) =>
    Array.from({ length: 12 }, (_, writer) => write(store, `${index}-${writer}`)),
  );
  await Promise.all(writers);
  return outcomes;
}

/**
 * Checks that every append is in the log as reported: whole and once at its position, or not at
 * all.
 */
async function compare(t: Test, store: EventStore, outcomes: readonly Outcome[]): Promise<void> {
  const marks = await marksInLog(store);
  t.strictSame(
    marks.map(({ position }) => position),
    Array.from({ length: marks.length }, (_, index) => index + 1),
    'positions are dense',
  );
  const found = Map.groupBy(marks, ({ mark }) => mark);
  const wrong = outcomes.filter(({ mark, result }) => {
    const positions = (found.get(mark) ?? []).map(({ position }) => position);
    const [first = 0] = positions;
    const whole = positions.length === 1 || positions.length === 3;
    const dense = positions.every((position, index) => position === first + index);
    if (result === 'conflict') return positions.length > 0;
    if (result === 'unknown') return positions.length > 0 && !(whole && dense);
    return !whole || !dense || first !== result;
  });
  t.strictSame(wrong, [], 'every append is in the log as reported');
  const count = (wanted: string) => outcomes.filter(({ result }) => result === wanted).length;
  t.comment(
    `${outcomes.length} appends, ${count('conflict')} conflicts, ${count('unknown')} unknown`,
  );
  t.ok(count('conflict') > 5, 'there were conflicts');
  t.ok(count('unknown') < outcomes.length / 10, 'most outcomes are known');
}

test('when the server kills connections, each append reports its true outcome', async (t) => {
  const random = seededRandom(t);
  const first = await createTestStore(t, { maxConnections: 3 });
  const second = openTestStore(t, first.url, { maxConnections: 3 });
  const until = performance.now() + loadMs;
  let killed = 0;
  const goesOn = () => performance.now() < until || killed <= 10;
  const kill = async () => {
    const killer = new pg.Client({ connectionString: first.url });
    await killer.connect();
    while (goesOn()) {
      await delay(random() * 40);
      const { rowCount } = await killer.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.7`,
      );
      killed += rowCount ?? 0;
    }
    await killer.end();
  };
  const appending = appendWhile(goesOn, [first.store, second.store], random);
  const [, outcomes] = await Promise.all([kill(), appending]);
  t.comment(`${killed} connections were killed`);
  await compare(t, openTestStore(t, first.url).store, outcomes);
});

test('when connections are lost before or after the effect, each append reports its true outcome', async (t) => {
  const random = seededRandom(t);
  const { url, store } = await createTestStore(t);
  const fault = () => (random() < 0.1 ? (random() < 0.5 ? 'before' : 'after') : null);
  const proxy = await createLossyProxy(t, url, fault);
  const stores = [1, 2].map(() => openTestStore(t, proxy.url, { maxConnections: 3 }).store);
  const until = performance.now() + loadMs;
  const { losses } = proxy;
  const goesOn = () => performance.now() < until || losses.before <= 5 || losses.after <= 5;
  const outcomes = await appendWhile(goesOn, stores, random);
  t.comment(`lost ${losses.before} before, ${losses.after} after the effect`);
  await compare(t, store, outcomes);
});

test('an append to a database that stays away rejects with StoreUnavailable', async (t) => {
  const { url } = await createTestStore(t);
  const proxy = await createLossyProxy(t, url, () => 'after');
  const { pool, keyring } = openTestStore(t, proxy.url);
  const store = createEventStore({ pool, keyring, retryMs: 300 });
  const outcome = store.append([markedEntry('s', 0, 'x')], {});
  await t.rejects(outcome, StoreUnavailable);
  const marks = await marksInLog(openTestStore(t, url).store);
  t.equal(marks.length, 1, 'appended once, although the answer was lost');
});

test('a database without a free connection counts as unreachable', async (t) => {
  const { url, name } = await createTestDatabase(t);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(async () => {
    await admin.query(`DROP ROLE IF EXISTS ${name}`);
    await admin.end();
  });
  await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x' CONNECTION LIMIT 0`);
  const refused = Object.assign(new URL(url), { username: name, password: 'x' }).href;
  const client = new pg.Client({ connectionString: refused });
  const error = await client.connect().catch((cause) => cause);
  t.match(error, { code: '53300' });
  t.ok(isConnectionLoss(error));
});

const codes = {
  unavailable: [
    ...['08000', '08006', '08P01', '25006', '25P03', '25P04', '3D000', '40001', '40P01'],
    ...['53000', '53100', '53200', '53300', '53400', '55P03', '57014'],
    ...['57P01', '57P02', '57P03', '57P04', '57P05', '58030'],
  ],
  faults: ['22P02', '23505', '40002', '42P01', '42501', '58000', '58P01', 'XX000', 'XX001'],
} as const;

test('an error that can pass is no fault of the service, and others are', (t) => {
  const ofServer = (code: string) =>
    Object.assign(new pg.DatabaseError('no', 0, 'error'), { code });
  for (const code of codes.unavailable) t.ok(isConnectionLoss(ofServer(code)), code);
  for (const code of codes.faults) t.notOk(isConnectionLoss(ofServer(code)), code);
  t.end();
});

test('an append without disk space, or to a read-only database, rejects with StoreUnavailable', async (t) => {
  const { url, pool, keyring } = await createTestStore(t);
  const store = createEventStore({ pool, keyring, retryMs: 0 });
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(() => admin.end());
  await admin.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION refuse()`);
  const several = ['a', 'b', 'c'].map((name) => store.append([markedEntry(name, 0, name)], {}));
  for (const append of several) await t.rejects(append, StoreUnavailable);
  await admin.query('DROP TRIGGER full_disk ON events');
  await store.append([markedEntry('a', 0, 'a')], {});
  await admin.query(
    `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
  );
  const readOnly = openTestStore(t, url, { retryMs: 0 }).store;
  await t.rejects(readOnly.append([markedEntry('a', 1, 'x')], {}), StoreUnavailable);
  t.equal((await marksInLog(readOnly)).length, 1);
});
