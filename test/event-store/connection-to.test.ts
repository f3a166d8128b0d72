import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Test, test } from 'tap';
import { connectionTo } from '../../src/event-store/connection-to.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import {
  DatabaseClient,
  type DatabaseClientConfig,
} from '../../src/event-store/database-client.ts';
import { openWorkLocks } from '../../src/subscriptions/work-locks.ts';
import { createTestDatabase } from '../support/database.ts';
import { projectRoot } from '../support/run.ts';

const names = ['jit', 'search_path', 'idle_session_timeout'] as const;

/** Settings of a connection as seen by the server. */
async function settingsOf(config: DatabaseClientConfig): Promise<Readonly<Record<string, string>>> {
  const client = new DatabaseClient(config);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; setting: string }>(
      'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)',
      [names],
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  } finally {
    await client.end();
  }
}

function withOptions(url: string, options: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', options);
  return changed.href;
}

/** Sets PGOPTIONS until the test ends. */
function setPgOptions(t: Test, value: string): void {
  const before = process.env.PGOPTIONS;
  t.teardown(() => {
    if (before === undefined) delete process.env.PGOPTIONS;
    else process.env.PGOPTIONS = before;
  });
  process.env.PGOPTIONS = value;
}

test('a connection has JIT off and keeps the required settings', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  t.match(await settingsOf(connectionTo(url)), { jit: 'off', idle_session_timeout: '0' });
  t.match(await settingsOf(connectionTo(url, { idle_session_timeout: '6000' })), {
    jit: 'off',
    idle_session_timeout: '6000',
  });
});

test('options in the URL override our defaults, but no required setting', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  const schema = withOptions(url, '-c search_path=own');
  t.match(await settingsOf(connectionTo(schema)), { jit: 'off', search_path: 'own' });
  const all = withOptions(url, '-c search_path=own -c jit=on -c idle_session_timeout=90000');
  t.strictSame(await settingsOf(connectionTo(all, { idle_session_timeout: '6000' })), {
    jit: 'on',
    search_path: 'own',
    idle_session_timeout: '6000',
  });
});

test('PGOPTIONS applies if the URL has no options', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  setPgOptions(t, '-c search_path=environment');
  t.match(await settingsOf(connectionTo(url)), { jit: 'off', search_path: 'environment' });
  const schema = withOptions(url, '-c search_path=own');
  t.match(await settingsOf(connectionTo(schema)), { jit: 'off', search_path: 'own' });
});

test('the pool keeps its keepalives when the URL has options', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  const { pool, close } = openDatabase(withOptions(url, '-c search_path=own'), {
    maxConnections: 1,
  });
  t.teardown(close);
  const { rows } = await pool.query(
    `SELECT current_setting('tcp_keepalives_idle') AS idle, current_setting('jit') AS jit,
            current_setting('search_path') AS path`,
  );
  t.strictSame(rows, [{ idle: '4', jit: 'off', path: 'own' }]);
});

test('a former primary gets no connection once any connection has seen its successor', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(() => admin.end());
  await admin.query('CREATE SCHEMA own');
  const onTimeline = (timeline: number) =>
    admin.query(`CREATE OR REPLACE FUNCTION own.pg_walfile_name(pg_lsn) RETURNS text
      LANGUAGE sql RETURN '0000000${timeline}0000000000000001'`);
  const named = new URL(withOptions(url, '-c search_path=own,pg_catalog'));
  named.searchParams.set('target_session_attrs', 'primary');
  await onTimeline(2);
  const locks = [openWorkLocks(named.href), openWorkLocks(named.href)] as const;
  t.teardown(() => Promise.all(locks.map((each) => each.close())));
  t.type(await locks[0].hold('a'), 'number');
  await onTimeline(1);
  await t.rejects(locks[1].hold('b'), { name: 'NoPrimary', message: /timeline 1, but 2 was seen/ });
  await onTimeline(3);
  t.type(await locks[1].hold('b'), 'number');
});

test('the service and the operator open every connection with connectionTo', async (t) => {
  const elsewhere = new Set([
    // Asks each server of the URL for itself.
    'src/event-store/find-primary.ts',
    // Checks for the bundled PostgreSQL, which has JIT off.
    'src/embedded/postgres/find-embedded-postgres.ts',
    'src/embedded/postgres/start-embedded-postgres.ts',
  ]);
  const files = globSync('{src,projections,ops}/**/*.ts', { cwd: projectRoot });
  const found = files.flatMap((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    const opened = [...text.matchAll(/new (?:pg\.)?(?:Pool|Client|DatabaseClient)\((.{0,60})/gs)];
    const ofPostgres = /from 'pg'|database-client/.test(text) ? opened : [];
    return ofPostgres.map(([, argument = '']) => ({ file, argument: argument.trim() }));
  });
  t.ok(found.length >= 8, 'at least eight connections found');
  const byOtherMeans = found.filter(
    ({ argument }) => !/^(\{\s*\.\.\.)?connectionTo\(/.test(argument),
  );
  t.strictSame(new Set(byOtherMeans.map(({ file }) => file)), elsewhere);
});
