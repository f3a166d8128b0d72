import type pg from 'pg';
import { test } from 'tap';
import { ulid } from 'ulid';
import { streams } from '../../src/domain/streams.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { AppendOutcome, EncodedAppend } from '../../src/event-store/batch.ts';
import { createCoalescer } from '../../src/event-store/coalescer.ts';
import { createTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { decisionsOf, runRecorded } from '../support/runs.ts';

const mb = 1_048_576;

test('large events are read in small pages, and none is left out', async (t) => {
  const { store } = await createTestStore(t);
  const organisationId = ulid() as OrganisationId;
  await store.createKeys(organisationId);
  const sizes = [8, 0.01, 0.01, 3, 0.01, 4, 1, 0.01];
  for (const [n, size] of sizes.entries()) {
    const events = [runRecorded(organisationId, `${n}`, { decisions: decisionsOf(size * mb) })];
    const stream = streams.run(organisationId, `${n}`);
    await store.append([{ organisationId, stream, expectedVersion: 0, events }], {});
  }
  for (const types of [undefined, ['RunRecorded']]) {
    const seen: number[][] = [];
    for (let after = 0; ; ) {
      const batch = await store.readPage(after, 1_000, types);
      if (batch.position === after) break;
      seen.push(batch.events.map(({ position }) => position));
      after = batch.position;
    }
    // A page includes the event that crosses 8 MB of stored text, which is a third more than the
    // data.
    t.strictSame(seen, [[1], [2, 3, 4, 5, 6], [7, 8]], String(types));
  }
  t.equal((await store.readLog(1, 1_000)).length, 5);
  t.match(await store.readPage(1, 1_000), { isCut: true });
  t.match(await store.readPage(6, 1_000), { isCut: false });
  t.match(await store.readPage(6, 2), { isCut: true });
  const [first] = await store.readLog(0, 1);
  t.match(first, { data: { decisionsReported: 100 } });
});

test('the data of types in headersOf are not read', async (t) => {
  const { store, pool } = await createTestStore(t);
  const organisationId = ulid() as OrganisationId;
  await store.createKeys(organisationId);
  const decisions = decisionsOf(5 * mb);
  for (const id of ['a', 'b', 'c', 'd']) {
    const events = [runRecorded(organisationId, id, { decisions })];
    const stream = streams.run(organisationId, id);
    await store.append([{ organisationId, stream, expectedVersion: 0, events }], {});
  }
  await store.append([markedEntry('s', 0, 'm')], {});
  const types = ['RunRecorded', 'AccountRetired'];
  const { query } = pool;
  let read = 0;
  const watched = async (config: pg.QueryConfig) => {
    const answer = await Reflect.apply(query, pool, [config]);
    read += JSON.stringify(answer.rows).length;
    return answer;
  };
  Object.assign(pool, { query: watched });
  const page = await store.readPage(0, 1_000, types, undefined, ['RunRecorded']);
  Object.assign(pool, { query });
  t.match(page, { position: 5, isCut: false });
  t.strictSame(
    page.events.map(({ stream, data }) => [stream, data]),
    [
      ...['a', 'b', 'c', 'd'].map((id) => [streams.run(organisationId, id), {}]),
      ['s', { ledgerId: 'test', account: 'm' }],
    ],
  );
  t.ok(read < 10_000, `${read} characters`);
  t.equal(
    (await store.readPage(0, 1_000, types)).events.length,
    2,
    'without headersOf two events fill a page',
  );
});

test('limits the bytes written together, and writes the largest append alone', async (t) => {
  const batches: number[][] = [];
  const write = async (appends: readonly EncodedAppend[]): Promise<AppendOutcome[]> => {
    batches.push(appends.map(({ rows }) => rows[0]?.data.length ?? 0));
    return appends.map(() => ({ firstPosition: 1 }));
  };
  const submit = createCoalescer(write, { events: 5, bytes: 100 }, 30_000);
  const append = (length: number, n: number): EncodedAppend => ({
    rows: [{ ...row, stream: `${n}`, data: 'x'.repeat(length) }],
    guards: [{ stream: `${n}`, expected: 0 }],
  });
  await Promise.all([40, 60, 1, 300, 1, 1, 1, 1, 1].map(append).map(submit));
  t.strictSame(batches, [[40, 60], [1, 1, 1, 1, 1], [300], [1]]);
});

const row = {
  ...{ organisation_id: null, version: 1, event_id: 'e', type: 'RunRecorded', schema: 1 },
  ...{ recorded_at: '', meta: '{}', leaf: Buffer.alloc(32), stream: '', data: '' },
};
