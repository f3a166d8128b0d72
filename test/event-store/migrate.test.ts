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

test('several migrators at once bring an empty database to the newest schema', async (t) => {
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

test('a database of a newer program is left alone', async (t) => {
  const { url } = await createTestDatabase(t);
  const { pool } = openTestStore(t, url);
  await pool.query(`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-newer', 'x')`);
  await t.rejects(migrateToLatest(url), /could not be migrated/);
});
