import { test } from 'tap';
import type { EventDefinition } from '../../src/domain/event.ts';
import { eventDefinitions } from '../../src/domain/events.ts';
import { UnreadableEvent } from '../../src/event-store/decode.ts';
import { createTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { streamNamed } from '../support/stream-named.ts';

/** Redefines an event until the test ends, as in a newer version of the program. */
function redefine(
  t: { teardown(act: () => void): void },
  type: string,
  as: EventDefinition<object>,
) {
  const definitions = eventDefinitions as unknown as Record<string, EventDefinition<object>>;
  const before = definitions[type];
  definitions[type] = as;
  t.teardown(() => {
    if (before) definitions[type] = before;
  });
}

test('upgrades an old event to the current schema step by step', async (t) => {
  const { store, pool } = await createTestStore(t);
  await store.append([markedEntry('s', 0, 'old')], {});
  redefine(t, 'AccountRetired', {
    schema: 3,
    clear: ['ledgerId', 'address', 'reason'] as never[],
    upcasts: {
      1: ({ account, ...rest }) => ({ ...rest, address: account }),
      2: (data) => ({ ...data, reason: `none for ${data.address}` }),
    },
  });
  const renewed = { ledgerId: 'test', address: 'new', reason: 'lost' };
  const events = [{ type: 'AccountRetired', data: renewed } as never];
  await store.append([{ organisationId: null, stream: 's', expectedVersion: 1, events }], {});
  t.strictSame(
    (await store.readStream(streamNamed('s'))).map(({ data }) => data as object),
    [{ ledgerId: 'test', address: 'old', reason: 'none for old' }, renewed],
  );
  const { rows } = await pool.query('SELECT schema, data FROM events ORDER BY position');
  t.match(rows, [{ schema: 1, data: /account/ }, { schema: 3 }], 'the stored data stay unchanged');
});

test('a missing upcast, a newer schema and an unknown type are reported by name', async (t) => {
  const { store, pool } = await createTestStore(t);
  await store.append([markedEntry('s', 0, 'old')], {});
  redefine(t, 'AccountRetired', { schema: 2, clear: [] });
  await t.rejects(store.readStream(streamNamed('s')), {
    name: 'UnreadableEvent',
    message: /schema 1/,
  });
  redefine(t, 'AccountRetired', { schema: 0, clear: [] });
  await t.rejects(store.readStream(streamNamed('s')), { message: /newer than this release/ });
  await pool.query(
    `INSERT INTO events SELECT 2, NULL, 't', 1, 'e', 'constructor', 1, recorded_at, '{}', '{}', leaf
     FROM events`,
  );
  await t.rejects(store.readStream(streamNamed('t')), UnreadableEvent);
  await t.rejects(store.readStream(streamNamed('t')), {
    message: /event 2 \(constructor\) .* unknown/,
  });
});

test('columns without a JSON object are reported with position and name', async (t) => {
  const { store, pool } = await createTestStore(t);
  await store.append([markedEntry('s', 0, 'one')], {});
  await pool.query('ALTER TABLE events DISABLE TRIGGER ALL');
  const cases: readonly [string, string, RegExp][] = [
    ['meta', '{', /^event 1 \(AccountRetired\) cannot be read: its meta is not JSON$/],
    ['meta', 'null', /its meta is not a JSON object$/],
    ['data', '', /^event 1 \(AccountRetired\) cannot be read: its data is not JSON$/],
    ['data', '[]', /its data is not a JSON object$/],
  ];
  for (const [column, text, message] of cases) {
    const { rows } = await pool.query('SELECT data, meta FROM events');
    await pool.query(`UPDATE events SET ${column} = $1`, [text]);
    await t.rejects(store.readStream(streamNamed('s')), { name: 'UnreadableEvent', message });
    await pool.query('UPDATE events SET data = $1, meta = $2', [rows[0].data, rows[0].meta]);
  }
});
