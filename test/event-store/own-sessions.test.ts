import pg from 'pg';
import { firstValueFrom } from 'rxjs';
import { test } from 'tap';
import { openDatabase } from '../../src/event-store/database.ts';
import { requireOwnSessions } from '../../src/event-store/own-sessions.ts';
import { openLogSignal } from '../../src/subscriptions/log-signal.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { createTestDatabase } from '../support/database.ts';
import { startPgBouncer, withPgBouncer } from '../support/pgbouncer.ts';

test('a direct connection has a session of its own', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  await requireOwnSessions(url);
});

for (const pool_mode of ['transaction', 'statement'] as const) {
  test(`PgBouncer in ${pool_mode} mode is refused with what to do`, withPgBouncer, async (t) => {
    const { url } = await createTestDatabase(t, { migrate: false });
    const pooler = await startPgBouncer(t, url, { pool_mode });
    const refused = requireOwnSessions(pooler.url);
    const message = /^[^\n]*set pool_mode = session[^\n]*$/;
    await t.rejects(refused, { name: 'SharedSessions', message });
    await pooler.stop();
  });
}

test(
  'PgBouncer is refused although another client has the first session',
  withPgBouncer,
  async (t) => {
    const { url } = await createTestDatabase(t, { migrate: false });
    const pooler = await startPgBouncer(t, url, { pool_mode: 'transaction' });
    // Takes every idle session for the whole of the check, as a busy service does.
    const busy = new pg.Pool({ connectionString: pooler.url, max: 20 });
    let checking = true;
    const occupy = async () => {
      while (checking) await busy.query('SELECT pg_sleep(0.003)');
    };
    const occupied = Array.from({ length: 20 }, occupy);
    await t.rejects(requireOwnSessions(pooler.url, { waitMs: 2_000 }), { name: 'SharedSessions' });
    checking = false;
    await Promise.all(occupied);
    await busy.end();
    await pooler.stop();
  },
);

test(
  'PgBouncer in session mode passes settings, locks and notifications on',
  withPgBouncer,
  async (t) => {
    const { url } = await createTestDatabase(t);
    const pooler = await startPgBouncer(t, url, { pool_mode: 'session' });
    await requireOwnSessions(pooler.url);
    const { pool, close } = openDatabase(pooler.url, { maxConnections: 3 });
    const { rows } = await pool.query(
      `SELECT current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit`,
    );
    t.strictSame(rows, [{ idle: '7s', jit: 'off' }]);
    const [first, second] = [openWorkLocks(pooler.url), openWorkLocks(pooler.url)];
    t.type(await first.hold('work'), 'number');
    t.equal(await second.hold('work'), null);
    const signal = openLogSignal(pooler.url, { channel: 'here', pollMs: 3_600_000 });
    // The first hint says that the channel is open.
    await firstValueFrom(signal.hints);
    const notified = firstValueFrom(signal.hints);
    await pool.query('NOTIFY here');
    await notified;
    await Promise.all([signal.close(), first.close(), second.close()]);
    await close();
    await pooler.stop();
  },
);
