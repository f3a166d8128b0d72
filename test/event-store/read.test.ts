import type pg from 'pg';
import { test } from 'tap';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import { createTestStore, openTestStore, testDeps } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { streamNamed } from '../support/stream-named.ts';

test('reads one or several streams in order, and an absent stream is empty', async (t) => {
  const now = new Date('2026-02-03T04:05:06.007Z');
  const { store } = await createTestStore(t, { now: () => now });
  const meta = { requestId: 'r', actor: 'api' } as const;
  await store.append([markedEntry('b', 0, 'b1', 'b2'), markedEntry('a', 0, 'a1')], meta);
  await store.append([markedEntry('b', 2, 'b3')], {});
  const events = await store.readStream(streamNamed('b'));
  t.match(events, [
    { position: 1, version: 1, stream: 'b', data: { account: 'b1' }, organisationId: null, meta },
    { position: 2, version: 2, recordedAt: '2026-02-03T04:05:06.007Z' },
    { position: 4, version: 3, data: { account: 'b3' } },
  ]);
  t.equal(events.length, 3);
  t.strictSame(await store.readStream(streamNamed('nowhere')), []);
  const several = await store.readStreams(['a', 'nowhere', 'b'].map(streamNamed));
  t.strictSame([...several.keys()].sort(), ['a', 'b']);
  t.strictSame(several.get(streamNamed('b')), events);
});

test('reads the newest event of a stream, alone and with others', async (t) => {
  const { store } = await createTestStore(t);
  await store.append([markedEntry('b', 0, 'b1', 'b2'), markedEntry('a', 0, 'a1')], {});
  const [b, a, none] = await Promise.all(
    ['b', 'a', 'nowhere'].map((s) => store.readLast(streamNamed(s))),
  );
  t.match(b, { stream: 'b', version: 2, position: 2, data: { account: 'b2' } });
  t.match(a, { stream: 'a', version: 1, data: { account: 'a1' } });
  t.equal(none, null);
  await store.append([markedEntry('b', 2, 'b3')], {});
  t.match(await store.readLast(streamNamed('b')), { version: 3, data: { account: 'b3' } });
});

test('the newest event of a long stream costs as much as that of a short one', async (t) => {
  const { store, pool } = await createTestStore(t);
  const marks = (from: number) => Array.from({ length: 1_000 }, (_, index) => `${from + index}`);
  for (let at = 0; at < 100_000; at += 1_000) {
    await store.append([markedEntry('long', at, ...marks(at))], {});
  }
  await store.append([markedEntry('short', 0, 'only')], {});
  await pool.query('ANALYZE events');
  // The same query, repeated because the driver's plan for it may change.
  const pages = async (stream: string) => {
    const { rows } = await pool.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
       SELECT * FROM unnest(ARRAY[$1]::text[]) AS wanted(name) CROSS JOIN LATERAL
       (SELECT * FROM events WHERE stream = wanted.name ORDER BY version DESC LIMIT 1) AS last`,
      [stream],
    );
    const plan = rows[0]['QUERY PLAN'][0].Plan;
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };
  t.ok((await pages('long')) <= (await pages('short')) + 2);
  t.match(await store.readLast(streamNamed('long')), {
    version: 100_000,
    data: { account: '99999' },
  });
  const began = performance.now();
  for (let call = 0; call < 100; call += 1) await store.readLast(streamNamed('long'));
  const ms = (performance.now() - began) / 100;
  t.comment(`${ms.toFixed(2)} ms each`);
  t.ok(ms < (await onThisMachine(100)), `${ms} ms each`);
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
  t.equal(await store.lastPositionOf(organisationId), 1, 'the position of its own last event');
  t.equal(await store.lastPositionOf('01ARZ3NDEKTSV4RRFFQ69G5FAV'), 0);
  const positions = async (...args: Parameters<typeof store.readLog>) =>
    (await store.readLog(...args)).map(({ position }) => position);
  t.strictSame(await positions(0, 2), [1, 2]);
  t.strictSame(await positions(2, 10), [3, 4]);
  t.strictSame(await positions(0, 10, ['AccountRetired']), [2, 3, 4]);
  t.strictSame(await positions(0, 1, ['OrganisationOpened', 'AccountRetired']), [1]);
  t.strictSame(await positions(0, 10, ['LogOpened']), []);
  t.strictSame(await store.readHeaders(2, 1), [
    { position: 3, stream: 's', type: 'AccountRetired', bytes: 33 },
  ]);
});

test('every call to an unreachable database rejects with StoreUnavailable', async (t) => {
  const { store, keyring } = openTestStore(t, 'postgres://nobody@127.0.0.1:1/none');
  const calls: readonly (() => Promise<unknown>)[] = [
    () => store.readStream(streamNamed('s')),
    () => store.readStreams(['s'].map(streamNamed)),
    () => store.readLast(streamNamed('s')),
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

test('a page of a log not analysed since it grew is read without a full read or sort', async (t) => {
  const { store, pool } = await createTestStore(t);
  await pool.query('ALTER TABLE events SET (autovacuum_enabled = off)');
  await pool.query(
    `INSERT INTO events (position, stream, version, event_id, type, schema, recorded_at, data, meta, leaf)
     SELECT n, n, 1, n, 'AccountRetired', 1, '2026-01-01T00:00:00.000Z',
            '{"account":"' || repeat('x', 1000) || '"}', '{}', sha256('')
     FROM generate_series(1, 30000) AS n`,
  );
  await pool.query('UPDATE log_head SET position = 30000');
  const asked: pg.QueryConfig[] = [];
  const { query } = pool;
  const watched = (config: pg.QueryConfig) => {
    asked.push(config);
    return Reflect.apply(query, pool, [config]);
  };
  Object.assign(pool, { query: watched });
  t.equal((await store.readPage(100, 1_000)).events.length, 1_000);
  const typed = await store.readPage(100, 1_000, ['AccountRetired']);
  t.equal(typed.events.at(-1)?.position, 1_100);
  Object.assign(pool, { query });
  t.equal(asked.length, 2);
  for (const { text, values } of asked) {
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
    const nodes = nodesOf((await pool.query(explain, values)).rows[0]['QUERY PLAN'][0].Plan);
    t.ok(nodes.some((node) => node['Index Name'] === 'events_pkey'));
    t.notOk(nodes.some((node) => node['Relation Name'] === 'events' && isWhole(node)));
    const most = Math.max(...nodes.map((node) => node['Actual Rows'] ?? 0));
    t.ok(most <= 4_000, `${most} rows are read`);
  }
});

const isWhole = (node: PlanNode) => node['Node Type']?.endsWith('Seq Scan');

interface PlanNode {
  readonly 'Node Type'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
