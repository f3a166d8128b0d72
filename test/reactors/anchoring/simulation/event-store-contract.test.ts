import { type Test, test } from 'tap';
import type {
  EventStore,
  HeaderBounds,
  StreamAppend,
} from '../../../../src/event-store/event-store.ts';
import { VersionConflict } from '../../../../src/event-store/version-conflict.ts';
import { createTestStore } from '../../../support/event-store.ts';
import { markedEntry, marksInLog } from '../../../support/marked-event.ts';
import { streamNamed } from '../../../support/stream-named.ts';
import { createMemoryEventStore } from './memory-event-store.ts';

const recordedAt = '2026-01-02T03:04:05.678Z';
const now = () => new Date(recordedAt);

/** The simulation uses the store in memory, so it must behave like the real one. */
const stores: Record<string, (t: Test) => Promise<EventStore>> = {
  'the store on PostgreSQL': async (t) => (await createTestStore(t, { now })).store,
  'the store in memory': async () => createMemoryEventStore({ now }),
};

for (const [name, create] of Object.entries(stores)) {
  test(`${name} appends to several streams at once, densely and in the given order`, async (t) => {
    const store = await create(t);
    const first = await store.append(
      [markedEntry('a', 0, 'a1', 'a2'), markedEntry('b', 0, 'b1')],
      {},
    );
    const second = await store.append([markedEntry('a', 2, 'a3')], {});
    t.match(
      [first, second],
      [
        { firstPosition: 1, lastPosition: 3 },
        { firstPosition: 4, lastPosition: 4 },
      ],
    );
    const marks = await marksInLog(store);
    t.strictSame(marks, [
      { mark: 'a1', position: 1, stream: 'a', version: 1 },
      { mark: 'a2', position: 2, stream: 'a', version: 2 },
      { mark: 'b1', position: 3, stream: 'b', version: 1 },
      { mark: 'a3', position: 4, stream: 'a', version: 3 },
    ]);
    const log = await store.readLog(0, 10);
    t.strictSame(
      log.map(({ eventId }) => eventId),
      [...first.eventIds, ...second.eventIds],
    );
    t.equal(new Set(first.eventIds).size, 3);
    t.ok(log.every((event) => event.recordedAt === recordedAt));
  });

  test(`${name} refuses a whole append for any version conflict, and names each such stream`, async (t) => {
    const store = await create(t);
    await store.append([markedEntry('a', 0, 'a1'), markedEntry('b', 0, 'b1')], {});
    const late = [markedEntry('a', 0, 'x'), markedEntry('b', 1, 'y'), markedEntry('c', 3, 'z')];
    const error = await store.append(late, {}).catch((refused: unknown) => refused);
    t.ok(error instanceof VersionConflict);
    const conflicts = error instanceof VersionConflict ? [...error.conflicts] : [];
    t.strictSame(
      conflicts.sort((a, b) => (a.stream < b.stream ? -1 : 1)),
      [
        { stream: 'a', expected: 0, actual: 1 },
        { stream: 'c', expected: 3, actual: 0 },
      ],
    );
    t.equal(await store.head(), 2);
  });

  test(`${name} accepts one of several concurrent appends to a stream`, async (t) => {
    const store = await create(t);
    const racers = ['x', 'y', 'z'].map((mark) => store.append([markedEntry('a', 0, mark)], {}));
    const outcomes = await Promise.allSettled(racers);
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    t.equal(await store.versionOf('a'), 1);
  });

  test(`${name} throws for an empty append and for a stream named twice`, async (t) => {
    const store = await create(t);
    await t.rejects(store.append([markedEntry('a', 0)], {}), /nothing to append/);
    const twice: StreamAppend[] = [markedEntry('a', 0, 'x'), markedEntry('a', 1, 'y')];
    await t.rejects(store.append(twice, {}), /named twice/);
    t.equal(await store.head(), 0);
  });

  test(`${name} begins a log only once`, async (t) => {
    const store = await create(t);
    t.match(await store.appendFirst(markedEntry('a', 0, 'x'), {}), { firstPosition: 1 });
    t.equal(await store.appendFirst(markedEntry('b', 0, 'y'), {}), null);
    t.equal(await store.head(), 1);
  });

  test(`${name} reads streams, ranges of the log, events by type, and headers`, async (t) => {
    const store = await create(t);
    const organisationId = 'O';
    await store.createKeys(organisationId);
    const gone = { type: 'LedgerGone', data: { ledgerId: 'L' } } as const;
    const joined = { stream: 'l', organisationId, expectedVersion: 0, events: [gone] };
    const causedBy = 'C';
    await store.append([markedEntry('a', 0, 'a1'), { ...joined, causedBy }], { actor: 'api' });
    await store.append([markedEntry('a', 1, 'a2')], {});
    t.strictSame(
      (await store.readStream(streamNamed('a'))).map(({ version }) => version),
      [1, 2],
    );
    t.strictSame(await store.readStream(streamNamed('none')), []);
    const found = await store.readStreams(['a', 'l', 'none'].map(streamNamed));
    t.strictSame([...found.keys()].sort(), ['a', 'l']);
    t.match(found.get(streamNamed('l')), [
      { ...gone, stream: 'l', version: 1, organisationId, meta: { actor: 'api', causedBy } },
    ]);
    t.match(await store.readLast(streamNamed('a')), { version: 2, position: 3 });
    t.equal(await store.readLast(streamNamed('none')), null);
    t.equal(await store.versionOf('a'), 2);
    t.equal(await store.versionOf('none'), 0);
    t.strictSame(
      (await store.readLog(1, 1)).map(({ position }) => position),
      [2],
    );
    t.strictSame(
      (await store.readLog(0, 10, ['AccountRetired'])).map(({ position }) => position),
      [1, 3],
    );
    const headers = await store.readHeaders(1, 5);
    t.strictSame(
      headers.map(({ position, stream, type }) => [position, stream, type]),
      [
        [2, 'l', 'LedgerGone'],
        [3, 'a', 'AccountRetired'],
      ],
    );
    t.ok(headers.every(({ bytes }) => bytes > 10 && bytes < 100));
    t.equal(await store.lastPositionOf(organisationId), 2);
    t.equal(await store.lastPositionOf('other'), 0);
    const [first, second] = await store.readLog(0, 2);
    const ofType = (after: number, type = '') =>
      store.lastPositionAfter(organisationId, after, [type]);
    t.equal(await ofType(0, second?.type), 2);
    t.equal(await ofType(1, second?.type), 2);
    t.equal(await ofType(2, second?.type), null);
    t.equal(await ofType(0, 'RunRecorded'), null);
    const headersOf = async (change: Partial<HeaderBounds<string>> = {}, id = organisationId) => {
      const all = { after: 0, upTo: 3, types: ['LedgerGone', 'AccountRetired'], limit: 5 };
      return store.readHeadersOf(id, { ...all, ...change });
    };
    t.match(await headersOf(), [
      { position: 2, stream: 'l', type: 'LedgerGone', recordedAt: /Z$/ },
    ]);
    for (const change of [{ after: 2 }, { upTo: 1 }, { types: ['AccountRetired'] }, { limit: 0 }]) {
      t.strictSame(await headersOf(change), [], JSON.stringify(change));
    }
    t.strictSame(await headersOf({}, 'other'), []);
    t.ok((await store.bytesOfLast(first?.stream ?? '')) > 2);
    t.equal(await store.bytesOfLast('none'), 0);
  });

  test(`${name} gives a value one index per organisation, and none without its keys`, async (t) => {
    const store = await create(t);
    t.equal(await store.index('O', 'v'), null);
    await store.createKeys('O');
    await store.createKeys('P');
    const index = await store.index('O', 'v');
    t.match(index, /^[a-f0-9]{64}$/);
    t.equal(await store.index('O', 'v'), index);
    t.not(await store.index('O', 'w'), index);
    t.not(await store.index('P', 'v'), index);
  });
}

test('the store in memory loses whole appends, as a database loses whole transactions', async (t) => {
  const store = createMemoryEventStore({ now });
  await store.append([markedEntry('a', 0, 'a1')], {});
  await store.append([markedEntry('a', 1, 'a2'), markedEntry('b', 0, 'b1')], {});
  await store.append([markedEntry('b', 1, 'b2')], {});
  const marksOf = async () => (await marksInLog(store)).map(({ mark }) => mark);
  store.lose(2, 0);
  t.strictSame(await marksOf(), ['a1']);
  await store.append([markedEntry('b', 0, 'b3'), markedEntry('a', 1, 'a3')], {});
  store.lose(1, 1);
  t.strictSame(await marksOf(), ['a1']);
  store.lose(5, 1);
  t.strictSame(await marksOf(), ['a1'], 'the first events are kept');
});
