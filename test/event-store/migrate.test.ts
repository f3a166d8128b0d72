import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'tap';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { openTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';

const modulePath = join(import.meta.dirname, '../../src/event-store/migrate.ts');

async function migrateInProcess(url: string): Promise<number | null> {
  const script = `
    import { migrateToLatest } from ${JSON.stringify(modulePath)};
    await migrateToLatest(${JSON.stringify(url)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  return code;
}

test('concurrent migrators bring an empty database to the newest schema', async (t) => {
  const { url } = await createTestDatabase(t, { migrate: false });
  const outcomes = await Promise.all([
    migrateInProcess(url),
    migrateInProcess(url),
    migrateToLatest(url),
    migrateToLatest(url),
  ]);
  t.strictSame(outcomes, [0, 0, undefined, undefined]);
  const { store } = openTestStore(t, url);
  await store.append([markedEntry('s', 0, 'works')], {});
  await migrateToLatest(url);
  t.equal(await store.head(), 1, 'migrating again changes nothing');
});

test('accepts additions of a newer release, unless the newer migration is marked breaking', async (t) => {
  const { url } = await createTestDatabase(t);
  const { pool, store } = openTestStore(t, url);
  const ran = (name: string) =>
    pool.query('INSERT INTO kysely_migration VALUES ($1, $2)', [name, new Date().toISOString()]);
  const names = async () =>
    (await pool.query('SELECT name FROM kysely_migration ORDER BY name')).rows;
  await ran('9998-newer');
  const before = await names();
  await Promise.all([migrateToLatest(url), migrateToLatest(url)]);
  t.strictSame(await names(), before, 'migrations of the newer release are unchanged');
  await store.append([markedEntry('s', 0, 'works')], {});
  await ran('9999-breaking-newer');
  await t.rejects(migrateToLatest(url), {
    message: 'the database could not be migrated',
    cause: { message: /newer release.*9999-breaking-newer.*start the newer release/ },
  });
});

test('refuses a database with an unknown migration among older ones', async (t) => {
  const { url } = await createTestDatabase(t);
  const { pool } = openTestStore(t, url);
  await pool.query(`INSERT INTO kysely_migration VALUES ('0000-unknown', '2026-01-01')`);
  await t.rejects(migrateToLatest(url), { cause: { message: /0000-unknown is missing/ } });
});
