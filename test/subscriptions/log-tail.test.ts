import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { test } from 'tap';
import type { OrganisationId, WorkspaceId } from '../../src/domain/ulid.ts';
import { writeBatch } from '../../src/event-store/batch.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { UnreadableEvent } from '../../src/event-store/decode.ts';
import { encodeEvent } from '../../src/event-store/encode.ts';
import type { LogReader, StreamAppend } from '../../src/event-store/event-store.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { createOrganisationEnding } from '../../src/event-store/organisation-ending.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { followLog } from '../../src/subscriptions/follow-log.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { prepareProjection, projectNext, runProjector } from '../../src/subscriptions/projector.ts';
import { openStreamWatch, type StreamChange } from '../../src/subscriptions/stream-watch.ts';
import { countingProjection } from '../support/counting-projection.ts';
import { createTestStore, type TestStore } from '../support/event-store.ts';
import { marked, markedEntry } from '../support/marked-event.ts';
import { decisionsOf, runRecorded } from '../support/runs.ts';
import { seededRandom } from '../support/seed.ts';
import { type TailedLog, tailLog } from '../support/tailed-log.ts';
import { until } from '../support/until.ts';

const positionsOf = (events: readonly StoredEvent[]) => events.map(({ position }) => position);
/** Bytes of a run's decisions; stored, they need a third more. */
const smallRun = 10_000;
const upTo = (length: number, from = 1) => Array.from({ length }, (_, index) => index + from);

async function appendMarks({ store }: TestStore, count: number): Promise<void> {
  await store.append([markedEntry(`s-${newUlid()}`, 0, ...upTo(count).map(String))], {});
}

/** An event of a workspace with a confidential name. */
function sealedEntry(organisationId: OrganisationId, name: string): StreamAppend {
  const workspaceId = newUlid() as WorkspaceId;
  const event = { type: 'WorkspaceCreated', data: { workspaceId, organisationId, name } } as const;
  const stream = `workspace-${workspaceId}`;
  return { organisationId, stream, expectedVersion: 0, events: [event] };
}

async function newOrganisation({ store }: TestStore): Promise<OrganisationId> {
  const organisationId = newUlid() as OrganisationId;
  await store.createKeys(organisationId);
  return organisationId;
}

/** Follows the log through the tail until the test ends. */
function follow(
  t: { teardown(stop: () => void): void },
  { tail, signal }: TailedLog,
  { types, after = 0 }: { readonly types?: string[]; readonly after?: number } = {},
) {
  const events: StoredEvent[] = [];
  const errors: unknown[] = [];
  let position = after;
  let pages = 0;
  let subscription: Subscription | null = null;
  const start = () => {
    subscription = followLog({
      store: tail,
      signal,
      after: position,
      ...(types && { types }),
    }).subscribe({
      next: (page) => {
        pages += 1;
        events.push(...page.events);
        position = page.position;
      },
      error: (error) => errors.push(error),
    });
  };
  start();
  t.teardown(() => subscription?.unsubscribe());
  return {
    events,
    errors,
    start,
    reaches: (wanted: number) =>
      until(`position ${wanted}`, async () => pages > 0 && position >= wanted),
    fails: () => until('an error', async () => errors.length > 0),
  };
}

test('pages equal those of the store, for any followers and limits', async (t) => {
  const random = seededRandom(t);
  const seed = Math.floor(random() * 2 ** 31);
  const db = await createTestStore(t);
  const organisationId = await newOrganisation(db);
  const kinds = ['AccountRetired', 'WorkspaceCreated', 'RunRecorded'];
  const eventOf = (kind: string, n: number) => {
    if (kind === 'AccountRetired') return markedEntry(`s-${newUlid()}`, 0, `m-${n}`);
    if (kind === 'WorkspaceCreated') return sealedEntry(organisationId, `w-${n}`);
    const decisions = decisionsOf(n % 2 === 0 ? smallRun : 2 * smallRun);
    const events = [runRecorded(organisationId, `run-${n}`, { decisions })];
    return { organisationId, stream: `run-${newUlid()}`, expectedVersion: 0, events };
  };
  const some = fc.option(fc.subarray(kinds, { minLength: 1 }), { nil: undefined });
  const append = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 });
  const step = fc.oneof(
    { arbitrary: fc.record({ append, isOwn: fc.boolean() }), weight: 1 },
    {
      arbitrary: fc.record({
        reader: fc.nat(3),
        limit: fc.integer({ min: 1, max: 9 }),
        types: some,
        upTo: fc.option(fc.nat(9), { nil: undefined }),
        headersOf: some,
        isHinted: fc.boolean(),
      }),
      weight: 4,
    },
    {
      arbitrary: fc.record({ headersOfReader: fc.nat(3), limit: fc.integer({ min: 1, max: 9 }) }),
      weight: 1,
    },
  );
  const history = fc.array(step, { minLength: 30, maxLength: 60 });
  let fromWindow = 0;
  /** No run is read with its data, the small ones are, or all are. */
  const aboveBytes = () => [0, 2 * smallRun, 1_000_000][Math.floor(random() * 3)] ?? 0;
  const live = async (steps: typeof history extends fc.Arbitrary<infer Steps> ? Steps : never) => {
    const limits = { events: 30, ageMs: 60_000 };
    const large = { types: ['RunRecorded'], aboveBytes: aboveBytes() };
    const site = tailLog(t, db, { limits, large });
    const readers = Array.from({ length: 4 }, () => 0).fill(await site.tail.head());
    for (const one of steps) {
      if ('append' in one) {
        const { store } = one.isOwn ? site : db;
        await store.append(one.append.map(eventOf), {});
        continue;
      }
      if ('headersOfReader' in one) {
        site.hint();
        const at = readers[one.headersOfReader] ?? 0;
        const headers = await site.tail.readHeaders(at, one.limit);
        assertSame(headers, await db.store.readHeaders(at, one.limit), 'headers');
        continue;
      }
      if (one.isHinted) site.hint();
      const after = readers[one.reader] ?? 0;
      const last = one.upTo === undefined ? undefined : after + one.upTo;
      site.count();
      const { basis, ...page } = await site.tail.readPage(
        ...([after, one.limit, one.types, last, one.headersOf] as const),
      );
      if (basis && basis.position !== page.position) throw new Error('another basis');
      if (site.count().own === 0 && page.events.length > 0) fromWindow += 1;
      const stop = Math.min(last ?? Infinity, page.position);
      const same = await db.store.readPage(after, one.limit, one.types, stop, one.headersOf);
      assertSame(page, same, 'the page');
      const head = await db.store.head();
      const isAtEnd = page.position === after;
      const mayGetOn = one.isHinted && after < Math.min(last ?? Infinity, head);
      if (isAtEnd && mayGetOn)
        throw new Error(`no progress from ${after}, though ${head} is there`);
      readers[one.reader] = page.position;
    }
  };
  await fc.assert(fc.asyncProperty(history, live), { seed, numRuns: 12 });
  t.ok(fromWindow > 50, `${fromWindow} pages came from memory`);
});

function assertSame(found: unknown, wanted: unknown, what: string): void {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`${what}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
}

test('followers at the head share one statement for each stretch', async (t) => {
  const db = await createTestStore(t);
  const organisationId = await newOrganisation(db);
  const site = tailLog(t, db);
  const followers = upTo(5).map(() => follow(t, site));
  const reach = (position: number) =>
    Promise.all(followers.map(({ reaches }) => reaches(position)));
  await reach(0);
  site.count();
  for (let n = 1; n <= 10; n += 1) {
    await db.store.append([sealedEntry(organisationId, `w-${n}`)], {});
    site.hint();
    await reach(n);
    t.strictSame(site.count(), { tail: 1, own: 0 });
  }
  const [first, ...others] = followers;
  for (const { events } of others) t.strictSame(events, first?.events);
  t.equal(others[0]?.events[3], first?.events[3], 'decoded once');
  t.match(
    first?.events.map(({ data }) => data),
    upTo(10).map((n) => ({ name: `w-${n}` })),
  );
});

test('events of this process are not read again, and equal those of the store', async (t) => {
  const db = await createTestStore(t);
  const organisationId = await newOrganisation(db);
  const site = tailLog(t, db, { limits: { ageMs: 60_000 } });
  const read: string[] = [];
  const { pool } = db;
  site.database = {
    pool: {
      query: (config: { text: string }) => {
        read.push(config.text);
        return pool.query(config);
      },
    } as unknown as TestStore['pool'],
  };
  const begin = await site.tail.head();
  const run = runRecorded(organisationId, 'r');
  await site.store.append(
    [
      sealedEntry(organisationId, 'Zürich'),
      { organisationId, stream: 'run-r', expectedVersion: 0, events: [run] },
      markedEntry('s', 0, 'one', 'two'),
    ],
    { actor: 'api' },
  );
  await site.store.append([markedEntry('s', 2, 'three')], {});
  site.hint();
  read.length = 0;
  const { basis, ...page } = await site.tail.readPage(begin, 10, undefined, undefined, [
    'RunRecorded',
  ]);
  t.match(read, [/^SELECT position AS head/], 'only the head');
  t.strictSame(page, await db.store.readPage(begin, 10, undefined, undefined, ['RunRecorded']));
  t.equal(basis?.position, begin + 5);
  await createOrganisationEnding(db.pool).destroyKeys(organisationId);
  const [erased] = (await site.tail.readPage(begin, 1)).events;
  t.match(erased, { erased: true });
  t.notOk('name' in (erased?.data ?? {}));
});

test('events of this process between those of others are read from the database', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db, { limits: { ageMs: 60_000 } });
  const begin = await site.tail.head();
  await site.store.append([markedEntry('a', 0, 'mine')], {});
  await db.store.append([markedEntry('b', 0, 'theirs')], {});
  await site.store.append([markedEntry('a', 1, 'mine')], {});
  site.hint();
  const { basis: _, ...page } = await site.tail.readPage(begin, 10);
  t.strictSame(page, await db.store.readPage(begin, 10));
  t.equal(page.events.length, 3);
});

test('events of this process that a replaced database lacks are not in its log', async (t) => {
  const lost = await createTestStore(t);
  const site = tailLog(t, lost, { limits: { ageMs: 60_000 } });
  await site.tail.head();
  await site.store.append([markedEntry('s', 0, 'one', 'two', 'three')], {});
  const restored = await createTestStore(t);
  await appendMarks(restored, 3);
  site.database = restored;
  site.hint();
  const { basis: _, ...page } = await site.tail.readPage(0, 10);
  t.strictSame(page, await restored.store.readPage(0, 10));
});

test('a follower that is behind reads by itself until it has caught up', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  await appendMarks(db, 50);
  const behind = follow(t, site);
  await behind.reaches(50);
  t.ok(site.count().own > 1);
  await appendMarks(db, 1);
  site.hint();
  await behind.reaches(51);
  t.strictSame(site.count(), { tail: 1, own: 0 });
  t.strictSame(positionsOf(behind.events), upTo(51));
});

test('a burst longer than one read reaches every follower completely', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  const followers = upTo(3).map(() => follow(t, site));
  for (const { reaches } of followers) await reaches(0);
  for (let n = 0; n < 4; n += 1) await appendMarks(db, 1_000);
  site.hint();
  t.strictSame(await site.tail.readHeaders(0, 5_000), await db.store.readHeaders(0, 5_000));
  t.equal(await site.tail.head(), 4_000);
  for (const { reaches, events } of followers) {
    await reaches(4_000);
    t.strictSame(positionsOf(events), upTo(4_000));
  }
});

test('limits the window by events, bytes and age', async (t) => {
  const db = await createTestStore(t);
  const isInMemory = async (site: TailedLog, after: number) => {
    site.count();
    t.match(await site.tail.readPage(after, 1), { position: after + 1 });
    return site.count().own === 0;
  };
  const hundred = 'x'.repeat(100);
  const entry = () => markedEntry(`s-${newUlid()}`, 0, hundred);
  for (const limits of [{ events: 10 }, { bytes: 10 * 133 + 5 }]) {
    const site = tailLog(t, db, { limits });
    const begin = await site.tail.head();
    for (let n = 0; n < 25; n += 1) {
      await db.store.append([entry()], {});
      site.hint();
      await site.tail.head();
    }
    t.notOk(await isInMemory(site, begin + 14));
    t.ok(await isInMemory(site, begin + 15));
  }
  const aging = tailLog(t, db, { limits: { ageMs: 1 } });
  const before = await aging.tail.head();
  await db.store.append([entry()], {});
  aging.hint();
  await aging.tail.head();
  await until('a hint drops what is old, without any read', async () => {
    aging.hint();
    return !(await isInMemory(aging, before));
  });
  const site = tailLog(t, db, { limits: { ageMs: -1 } });
  const begin = await site.tail.head();
  await db.store.append([entry()], {});
  site.hint();
  await site.tail.head();
  t.notOk(await isInMemory(site, begin));
});

test('the tail never loads large data', async (t) => {
  const db = await createTestStore(t);
  const organisationId = await newOrganisation(db);
  const site = tailLog(t, db);
  const begin = await site.tail.head();
  const run = runRecorded(organisationId, 'r', { decisions: decisionsOf(100_000) });
  const append = { organisationId, stream: 'run-r', expectedVersion: 0, events: [run] };
  await db.store.append([append], {});
  await appendMarks(db, 1);
  site.hint();
  t.match(await site.tail.readHeaders(begin, 10), [
    { type: 'RunRecorded' },
    { position: begin + 2 },
  ]);
  t.match(
    await site.tail.readPage(begin, 10, undefined, undefined, ['RunRecorded']),
    await db.store.readPage(begin, 10, undefined, undefined, ['RunRecorded']),
  );
  t.match(await site.tail.readPage(begin, 10, ['AccountRetired']), {
    events: [{}],
    position: begin + 2,
  });
  t.strictSame(site.count(), { tail: 1, own: 1 }, 'only the first read at the head');
  const page = await site.tail.readPage(begin, 10);
  t.strictSame(page, await db.store.readPage(begin, 10));
  t.strictSame(
    site.count(),
    { tail: 0, own: 1 },
    'a follower that needs the data reads them itself',
  );
});

test('pages with large events end like those of the store', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db, { limits: { bytes: 64_000_000, ageMs: 60_000 } });
  const begin = await site.tail.head();
  const megabytes = 'x'.repeat(3_000_000);
  for (let n = 0; n < 5; n += 1) {
    await db.store.append([markedEntry(`l-${n}`, 0, megabytes)], {});
    site.hint();
    await site.tail.head();
  }
  const read = async (reader: LogReader) => {
    const found = [];
    for (let after = begin; ; ) {
      const { position, isCut, events } = await reader.readPage(after, 100);
      found.push({ position, isCut, events: events.length });
      if (position === after) return found;
      after = position;
    }
  };
  site.count();
  const pages = await read(site.tail);
  t.strictSame(site.count(), { tail: 0, own: 0 }, 'from memory');
  t.strictSame(pages, await read(db.store));
  t.match(pages[0], { position: begin + 3, isCut: true, events: 3 });
});

test('events decoded before an erasure lose their clear data after it', async (t) => {
  const db = await createTestStore(t);
  const gone = await newOrganisation(db);
  const kept = await newOrganisation(db);
  const site = tailLog(t, db, { limits: { ageMs: 60_000 } });
  const begin = await site.tail.head();
  await db.store.append([sealedEntry(gone, 'secret'), sealedEntry(kept, 'open')], {});
  site.hint();
  const names = async () => {
    const { events } = await site.tail.readPage(begin, 10);
    return events.map(({ data, erased }) => ('name' in data ? data.name : (erased ?? null)));
  };
  t.strictSame(await names(), ['secret', 'open']);
  site.count();
  await createOrganisationEnding(db.pool).destroyKeys(gone);
  t.strictSame(await names(), [true, 'open']);
  t.strictSame(site.count(), { tail: 0, own: 0 }, 'from memory');
});

test('a watch passes on the events in memory of the streams that are waited for', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  const watch = await openStreamWatch({ store: site.tail, signal: site.signal });
  t.teardown(() => watch.close());
  const changes: StreamChange[] = [];
  watch.changes('mine').subscribe((change) => changes.push(change));
  await db.store.append([markedEntry('mine', 0, 'one'), markedEntry('theirs', 0, 'x')], {});
  site.count();
  site.hint();
  await until('the change', async () => changes.length === 1);
  t.strictSame(changes[0]?.event, (await db.store.readStream('mine' as never))[0]);
  t.strictSame(site.count(), { tail: 1, own: 0 });
  const begin = (await site.tail.head()) + 1;
  t.equal(await site.tail.recent(begin), undefined, 'not there yet');
});

test('an unreadable event in memory does not hold up the waiters of other streams', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const watch = await openStreamWatch({ store: site.tail, signal: site.signal, onError });
  t.teardown(() => watch.close());
  const changes: StreamChange[] = [];
  for (const stream of ['future', 'mine']) {
    watch.changes(stream).subscribe((change) => changes.push(change));
  }
  const at = { organisationId: null, stream: 'future', version: 1, meta: {}, keys: null };
  const row = encodeEvent({ ...at, event: marked('x'), recordedAt: new Date().toISOString() });
  const guards = [{ stream: 'future', expected: 0 }];
  await writeBatch(db.pool, [{ rows: [{ ...row, schema: 1_000 }], guards }]);
  await db.store.append([markedEntry('mine', 0, 'one')], {});
  site.hint();
  await until('both changes', async () => changes.length === 2);
  t.match(changes, [
    { stream: 'future', event: undefined },
    { stream: 'mine', event: { data: {} } },
  ]);
  t.equal(watch.reached(), 2);
  t.equal(errors.length, 1, 'the unreadable event is reported');
  t.ok(errors[0] instanceof UnreadableEvent);
});

test('an unreadable event affects only followers of its type', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  const all = follow(t, site);
  const some = follow(t, site, { types: ['AccountRetired'] });
  await Promise.all([all.reaches(0), some.reaches(0)]);
  const at = { organisationId: null, stream: 'future', version: 1, meta: {}, keys: null };
  const row = encodeEvent({ ...at, event: marked('x'), recordedAt: new Date().toISOString() });
  const guards = [{ stream: 'future', expected: 0 }];
  await writeBatch(db.pool, [{ rows: [{ ...row, type: 'FromTheFuture' }], guards }]);
  await appendMarks(db, 1);
  site.hint();
  await some.reaches(2);
  await all.fails();
  t.ok(all.errors[0] instanceof UnreadableEvent);
  t.strictSame(some.errors, []);
  t.strictSame(positionsOf(some.events), [2]);
});

test('while the store is away every follower gets an error, and none misses an event', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  const followers = upTo(3).map(() => follow(t, site));
  for (const { reaches } of followers) await reaches(0);
  site.away = true;
  await appendMarks(db, 3);
  site.hint();
  for (const { fails, errors } of followers) {
    await fails();
    t.ok(errors[0] instanceof StoreUnavailable);
  }
  await t.rejects(site.tail.head(), StoreUnavailable);
  await t.rejects(site.tail.readPage(0, 10), StoreUnavailable);
  await t.rejects(site.tail.readHeaders(0, 10), StoreUnavailable);
  site.away = false;
  for (const { start, reaches, events } of followers) {
    start();
    await reaches(3);
    t.strictSame(positionsOf(events), [1, 2, 3]);
  }
});

test('a hint during a read causes another read', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  const begin = await site.tail.head();
  site.count();
  const held = site.holdNext();
  site.hint();
  const early = site.tail.head();
  const release = await held;
  await appendMarks(db, 2);
  site.hint();
  const late = site.tail.head();
  release();
  t.equal(await late, begin + 2);
  await early;
  t.strictSame(site.count(), { tail: 2, own: 0 });
});

test('events in memory are not folded into a database that lacks them', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db);
  await site.tail.head();
  await appendMarks(db, 3);
  site.hint();
  await site.tail.head();
  for (const events of [0, 5]) {
    const restored = await createTestStore(t);
    const projection = countingProjection();
    await prepareProjection(restored.db, projection);
    if (events > 0) await appendMarks(restored, events);
    await t.rejects(projectNext(restored.db, site.tail, projection), /lacks event 3/);
    const { rows } = await restored.pool.query(
      "SELECT position FROM checkpoints WHERE name = 'counting'",
    );
    t.match(rows.at(-1), { position: 0 });
    t.equal((await restored.pool.query('SELECT FROM folded')).rowCount, 0);
  }
});

test('after the database went back and grew again, pages come from the new log', async (t) => {
  const lost = await createTestStore(t);
  const site = tailLog(t, lost, { limits: { ageMs: 60_000 } });
  await site.tail.head();
  await appendMarks(lost, 3);
  site.hint();
  await site.tail.head();
  const restored = await createTestStore(t);
  await appendMarks(restored, 5);
  site.database = restored;
  site.hint();
  t.equal(await site.tail.head(), 5);
  const { basis: _, ...page } = await site.tail.readPage(0, 10);
  t.strictSame(page, await restored.store.readPage(0, 10));
  const { basis, ...rest } = await site.tail.readPage(3, 10);
  t.strictSame(rest, await restored.store.readPage(3, 10));
  t.equal(basis?.position, 5, 'from memory');
});

test('pages equal those of the store if the database lacks events', async (t) => {
  const db = await createTestStore(t);
  const site = tailLog(t, db, { limits: { ageMs: 60_000 } });
  await site.tail.head();
  await appendMarks(db, 5);
  await db.pool.query(
    'SET session_replication_role = replica; DELETE FROM events WHERE position = 3',
  );
  for (let after = 0; after < 7; after += 1) {
    if (after === 5) await appendMarks(db, 2);
    site.hint();
    t.strictSame(await site.tail.readHeaders(after, 10), await db.store.readHeaders(after, 10));
    const { basis: _, ...page } = await site.tail.readPage(after, 10);
    t.strictSame(page, await db.store.readPage(after, 10));
  }
});

test('projectors on the tail fold every event once and in order, during appends', async (t) => {
  const db = await createTestStore(t);
  const projection = countingProjection();
  await prepareProjection(db.db, projection);
  const signal = openLogSignal(db.url, { pollMs: 50 });
  const site = tailLog(t, db, { limits: { events: 100 } });
  const hinting = signal.hints.subscribe(() => site.hint());
  const running = runProjector({
    ...db,
    store: site.tail,
    signal: site.signal,
    projection,
  }).subscribe();
  const watching = upTo(3).map(() => follow(t, site));
  for (let n = 0; n < 60; n += 1) await appendMarks(db, 1 + ((n * 7) % 40));
  const head = await db.store.head();
  await Promise.all(watching.map(({ reaches }) => reaches(head)));
  await until('the projection', async () => {
    const { rows } = await db.pool.query(
      "SELECT FROM checkpoints WHERE name = 'counting' AND position = $1",
      [head],
    );
    return rows.length > 0;
  });
  running.unsubscribe();
  hinting.unsubscribe();
  await signal.close();
  const { rows } = await db.pool.query<{ position: number }>(
    'SELECT position FROM folded ORDER BY id',
  );
  t.strictSame(
    rows.map(({ position }) => position),
    upTo(head),
  );
  for (const { events } of watching) t.strictSame(positionsOf(events), upTo(head));
});
