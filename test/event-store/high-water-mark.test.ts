import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Test, test } from 'tap';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { DatabaseWentBack } from '../../src/event-store/database-went-back.ts';
import { createLogRows } from '../../src/event-store/log-rows.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';
import { createLossyProxy } from '../support/lossy-proxy.ts';
import { markedEntry, marksInLog } from '../support/marked-event.ts';
import { cut, inDatabase, lacking } from '../support/shorten-log.ts';
import { streamNamed } from '../support/stream-named.ts';
import { until } from '../support/until.ts';

const never = 3_600_000;

interface Watched {
  readonly checkEveryMs?: number;
  readonly answerWithinMs?: number;
  readonly maxConnections?: number;
}

/** A store on an existing database, with the findings of its high-water mark. */
function watch(t: Test, url: string, options: Watched = {}) {
  const findings: DatabaseWentBack[] = [];
  const onWentBack = (error: DatabaseWentBack) => findings.push(error);
  const opened = openTestStore(t, url, { checkEveryMs: never, ...options, onWentBack });
  return { ...opened, findings };
}

/** A store that has appended events 1 to 3 to one stream. */
async function startAtThree(t: Test, options: Watched = {}) {
  const { url } = await createTestStore(t);
  const watched = watch(t, url, options);
  await watched.store.append([markedEntry('s', 0, 'kept', 'lost', 'lost too')], {});
  return watched;
}

test('a database that lacks an appended event gets no connection, and is reported once', async (t) => {
  const { store, pool, url, findings } = await startAtThree(t);
  await inDatabase(url, lacking(1), cut);
  await t.rejects(store.append([markedEntry('other', 0, 'new')], {}), DatabaseWentBack);
  await t.rejects(store.readStream(streamNamed('s')), DatabaseWentBack);
  await t.rejects(store.head(), DatabaseWentBack);
  await t.rejects(pool.query('SELECT 1'), DatabaseWentBack, 'for any query');
  t.equal(findings.length, 1);
  t.match(
    findings[0]?.message,
    /earlier state: it lacks event 3, which this process has seen; the log ends at event 1\. /,
  );
  t.match(findings[0]?.message, /This process ends.*docs\/runbook\.md/);
});

test('a database that grew past the mark with other events gets no connection', async (t) => {
  const { store, url, findings } = await startAtThree(t);
  await inDatabase(url, lacking(1), cut);
  const other = openTestStore(t, url);
  await other.store.append([markedEntry('s', 1, 'a', 'b', 'c', 'd')], {});
  await t.rejects(store.append([markedEntry('t', 0, 'new')], {}), DatabaseWentBack);
  t.match(findings[0]?.message, /its event at position 3 is not the one/);
  t.equal((await marksInLog(other.store)).length, 5, 'nothing was appended to it');
});

test('an empty log, or a database without tables, gets no connection', async (t) => {
  const { store, url, findings } = await startAtThree(t);
  const other = watch(t, url);
  await other.store.head();
  await inDatabase(url, lacking(0), cut);
  await t.rejects(store.readLog(0, 1), DatabaseWentBack);
  t.match(findings[0]?.message, /it lacks event 3, which this process has seen; the log is empty/);
  await inDatabase(url, 'ALTER TABLE events RENAME TO elsewhere', cut);
  await t.rejects(other.store.readLog(0, 1), DatabaseWentBack);
  t.match(
    other.findings[0]?.message,
    /it lacks event 3, which this process has seen; it holds no log/,
  );
});

test('every way to read the log raises the mark', async (t) => {
  const { url } = await startAtThree(t);
  const reads: Record<string, (opened: ReturnType<typeof openTestStore>) => Promise<unknown>> = {
    head: ({ store }) => store.head(),
    page: ({ store }) => store.readPage(0, 10),
    headers: ({ store }) => store.readHeaders(0, 10),
    stream: ({ store }) => store.readStream(streamNamed('s')),
    last: ({ store }) => store.readLast(streamNamed('s')),
    rows: ({ pool, highWater }) =>
      createLogRows(pool, { types: [], aboveBytes: 0 }, highWater).read(0, 10),
  };
  for (const [name, read] of Object.entries(reads)) {
    const opened = openTestStore(t, url, { maxConnections: 1 });
    await read(opened);
    t.equal(opened.highWater.position, 3, name);
  }
});

test('an append at or below the mark on an open connection rejects', async (t) => {
  const { store, pool, highWater, url, findings } = await startAtThree(t);
  await inDatabase(url, lacking(1));
  await t.rejects(store.append([markedEntry('other', 0, 'new')], {}), DatabaseWentBack);
  const rows = createLogRows(pool, { types: [], aboveBytes: 0 }, highWater);
  await t.rejects(rows.read(0, 10), DatabaseWentBack, 'reading rows afterwards rejects too');
  t.match(
    findings[0]?.message,
    /it appended at position 2, although this process has seen event 3/,
  );
});

test('an idle process detects a database that went back within the interval', async (t) => {
  const { store, url, findings } = await startAtThree(t, { checkEveryMs: 40 });
  await inDatabase(url, lacking(1));
  await until('the process has noticed', async () => findings.length > 0);
  await t.rejects(store.head(), DatabaseWentBack);
});

test('reading a database that grew past the mark does not hide that it went back', async (t) => {
  const { store, url, checkNow, findings } = await startAtThree(t);
  await checkNow();
  await inDatabase(url, lacking(1));
  const other = openTestStore(t, url);
  await other.store.append([markedEntry('s', 1, 'a', 'b', 'c', 'd')], {});
  t.equal(await store.head(), 5, 'on a connection that was checked before');
  await checkNow();
  t.match(findings[0]?.message, /its event at position 3 is not the one/);
});

test('an unreachable database is not reported as gone back', async (t) => {
  const { url } = await startAtThree(t);
  let isAway = false;
  const proxy = await createLossyProxy(t, url, () => (isAway ? 'before' : null));
  const { store, checkNow, findings } = watch(t, proxy.url);
  await store.head();
  isAway = true;
  await checkNow();
  await t.rejects(store.head(), StoreUnavailable);
  isAway = false;
  t.equal(await store.head(), 3);
  await checkNow();
  t.same(findings, []);
});

test('a database that does not answer in time is not reported as gone back', async (t) => {
  const { url } = await startAtThree(t);
  const { store, checkNow, findings } = watch(t, url, { answerWithinMs: 100, maxConnections: 1 });
  t.equal(await store.head(), 3);
  const locker = new pg.Client({ connectionString: url });
  await locker.connect();
  await locker.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
  await checkNow();
  await t.rejects(
    store.head(),
    StoreUnavailable,
    'a connection that cannot be checked is not used',
  );
  await locker.query('ROLLBACK');
  await locker.end();
  const head = () => store.head().catch(() => null);
  t.equal(await until('a new connection is checked in time', head), 3);
  t.same(findings, []);
});

test('checks during appends and killed connections report nothing', async (t) => {
  const { url } = await startAtThree(t);
  const stores = [1, 2].map(() => watch(t, url, { checkEveryMs: 2, maxConnections: 3 }));
  const begin = performance.now();
  const enough = ({ highWater }: ReturnType<typeof watch>) => highWater.position > 50;
  /** True after a second, and later on a machine that is slow. */
  const isOver = () => {
    const ms = performance.now() - begin;
    return ms > 30_000 || (ms > 1_000 && stores.every(enough));
  };
  const append = async ({ store }: ReturnType<typeof watch>, name: string) => {
    for (let n = 0; !isOver(); n += 1) {
      const entry = markedEntry(`${name} ${n}`, 0, 'x');
      await store.append([entry], {}).catch((error) => t.match(error, StoreUnavailable));
      await store.readPage(n, 5).catch((error) => t.match(error, StoreUnavailable));
    }
  };
  const appending = stores.flatMap((watched, at) =>
    Array.from({ length: 6 }, (_, n) => append(watched, `${at} ${n}`)),
  );
  const killer = new pg.Client({ connectionString: url });
  await killer.connect();
  while (!isOver()) {
    await killer.query(cut);
    await sleep(30);
  }
  await Promise.all(appending);
  await killer.end();
  for (const { findings, highWater } of stores) {
    t.same(findings, []);
    t.ok(highWater.position > 50, `${highWater.position} events`);
  }
});
