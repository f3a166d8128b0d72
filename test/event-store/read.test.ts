import { test } from 'tap';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { createTestStore, openTestStore, testDeps } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';

test('streams are read in order, one or several, and what is absent is empty', async (t) => {
  const now = new Date('2026-02-03T04:05:06.007Z');
  const { store } = await createTestStore(t, { now: () => now });
  const meta = { requestId: 'r', actor: 'api' } as const;
  await store.append([markedEntry('b', 0, 'b1', 'b2'), markedEntry('a', 0, 'a1')], meta);
  await store.append([markedEntry('b', 2, 'b3')], {});
  const events = await store.readStream('b');
  t.match(events, [
    { position: 1, version: 1, stream: 'b', data: { account: 'b1' }, organisationId: null, meta },
    { position: 2, version: 2, recordedAt: '2026-02-03T04:05:06.007Z' },
    { position: 4, version: 3, data: { account: 'b3' } },
  ]);
  t.equal(events.length, 3);
  t.strictSame(await store.readStream('nowhere'), []);
  const several = await store.readStreams(['a', 'nowhere', 'b']);
  t.strictSame([...several.keys()].sort(), ['a', 'b']);
  t.strictSame(several.get('b'), events);
});

test('the log is read after a position, limited, and by type', async (t) => {
  const { store } = await createTestStore(t);
  t.equal(await store.head(), 0);
  t.strictSame(await store.readLog(0, 10), []);
  const deps = { ...testDeps, store };
  const organisationId = await openOrganisation(deps, { name: 'a', plan: 'free' }, {});
  t.equal(await store.lastPositionOf(organisationId), 1);
  await store.append([markedEntry('s', 0, 'x', 'y', 'z')], {});
  t.equal(await store.head(), 4);
  t.equal(await store.lastPositionOf(organisationId), 1, 'of its own events only');
  t.equal(await store.lastPositionOf('01ARZ3NDEKTSV4RRFFQ69G5FAV'), 0);
  const positions = async (...args: Parameters<typeof store.readLog>) =>
    (await store.readLog(...args)).map(({ position }) => position);
  t.strictSame(await positions(0, 2), [1, 2]);
  t.strictSame(await positions(2, 10), [3, 4]);
  t.strictSame(await positions(0, 10, ['AccountRetired']), [2, 3, 4]);
  t.strictSame(await positions(0, 1, ['OrganisationOpened', 'AccountRetired']), [1]);
  t.strictSame(await positions(0, 10, ['LogOpened']), []);
  t.strictSame(await store.readHeaders(2, 1), [
    { position: 3, stream: 's', type: 'AccountRetired' },
  ]);
});

test('a database that is not there is StoreUnavailable, for every call', async (t) => {
  const { store, keyring } = openTestStore(t, 'postgres://nobody@127.0.0.1:1/none');
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.readStream('s'),
    () => store.readStreams(['s']),
    () => store.readLog(0, 1),
    () => store.readHeaders(0, 1),
    () => store.head(),
    () => store.lastPositionOf('o'),
    () => store.index('o', 'v'),
    () => store.createKeys('o'),
    () => store.appendFirst(markedEntry('s', 0, 'x'), {}),
    () => keyring.check(),
  ];
  for (const call of calls)
    await t.rejects(async () => void (await call()), StoreUnavailable, String(call));
  await t.rejects(
    store.append([{ ...markedEntry('s', 0, 'x'), organisationId: 'o' }], {}),
    StoreUnavailable,
  );
});
