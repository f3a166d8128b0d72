import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'tap';
import { acquireDataDirLock } from '../../src/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { jsonOf, opsAlone } from '../support/operator.ts';

test('embedded: the commands start PostgreSQL themselves, or use the one that runs', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-ops-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'var');
  t.teardown(async () => {
    const text = await readFile(join(dataDir, 'postgres.json'), 'utf8').catch(() => '{}');
    const { cluster = 'postgres' } = JSON.parse(text) as { cluster?: string };
    if (cluster.startsWith('/')) await rm(dirname(cluster), { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });
  const env = { DATA_DIR: dataDir };
  const create = ['organisation', 'create', '--name', 'A', '--plan', 'free', '--json'];
  const mistyped = await opsAlone(t, env, 'organisation', 'list', '--json');
  t.match(mistyped, { code: 1, stdout: '', stderr: /DATA_DIR .* does not exist/ });
  t.notOk(existsSync(dataDir), 'a mistyped folder is not made');
  await mkdir(dataDir, { mode: 0o700 });
  // Nothing runs: several at once take turns.
  const made = await Promise.all([1, 2].map(() => opsAlone(t, env, ...create)));
  for (const outcome of made) jsonOf(t, outcome);
  const list = jsonOf(t, await opsAlone(t, env, 'organisation', 'list', '--json'));
  t.equal((list.organisations as unknown[]).length, 2);

  // As the service would: it holds the lock, and its PostgreSQL runs on.
  const lock = await acquireDataDirLock(dataDir);
  const starting = startEmbeddedPostgres({ dataDir });
  const early = await opsAlone(t, env, 'organisation', 'list', '--json');
  t.strictSame(jsonOf(t, early), list, 'one that is starting is waited for');
  const postgres = await starting;
  let ended = false;
  void postgres.ended.then(() => {
    ended = true;
  });
  jsonOf(t, await opsAlone(t, env, ...create));
  t.notOk(ended, 'the service keeps its PostgreSQL');
  await postgres.stop();
  await lock.release();
  const after = jsonOf(t, await opsAlone(t, env, 'organisation', 'list', '--json'));
  t.equal((after.organisations as unknown[]).length, 3);
});
