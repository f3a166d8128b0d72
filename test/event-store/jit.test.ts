import { test } from 'tap';
import { createTestDatabase } from '../support/database.ts';
import { openTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';
import { collectPlans, withPlans } from '../support/plans.ts';

test('an append is not JIT-compiled, even on a connection that compiles everything it may', async (t) => {
  const { url } = await createTestDatabase(t);
  const { pool, store } = openTestStore(t, withPlans(url), { maxConnections: 1 });
  const plans = collectPlans(pool);
  await store.append([markedEntry('s', 0, 'first')], {});
  await store.append([markedEntry('s', 1, 'second')], {});
  const within = plans.filter(({ query }) => /log_head|INSERT INTO events|pg_notify/.test(query));
  t.equal(within.length, 6, 'each statement of both appends was explained');
  t.strictSame(
    within.filter(({ compiled }) => compiled).map(({ query }) => query.trim().slice(0, 40)),
    [],
  );
  const { rows } = await pool.query<{ available: boolean }>(
    'SELECT pg_jit_available() AS available',
  );
  const others = plans.filter((plan) => !within.includes(plan));
  t.equal(
    others.some(({ compiled }) => compiled),
    rows[0]?.available,
    'other statements are compiled',
  );
});

test('every database function that sets planner options turns JIT off', async (t) => {
  const { url } = await createTestDatabase(t);
  const { pool } = openTestStore(t, url);
  const { rows } = await pool.query<{ name: string; settings: readonly string[] }>(
    `SELECT proname AS name, proconfig AS settings FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND array_to_string(proconfig, ',') LIKE '%enable_%'
     ORDER BY proname`,
  );
  t.strictSame(
    rows.map(({ name }) => name),
    ['append_events', 'refuse_calls'],
  );
  for (const { name, settings } of rows) t.ok(settings.includes('jit=off'), name);
});
