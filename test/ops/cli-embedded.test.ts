import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'tap';
import { acquireDataDirLock } from '../../src/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { jsonOf, ops, opsAlone } from '../support/operator.ts';
import { initialisedDataDir } from '../support/prepared-data-dir.ts';
import { projectRoot, run } from '../support/run.ts';
import { until } from '../support/until.ts';

test('commands start the embedded PostgreSQL, or use the running one', async (t) => {
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
  const mistyped = await ops(t, env, 'organisation', 'list', '--json');
  t.match(mistyped, { code: 1, stdout: '', stderr: /DATA_DIR .* does not exist/ });
  t.notOk(existsSync(dataDir), 'a mistyped folder is not created');
  await mkdir(dataDir, { mode: 0o700 });
  // Without a running service, simultaneous commands take turns.
  const made = await Promise.all([ops, opsAlone].map((command) => command(t, env, ...create)));
  for (const outcome of made) jsonOf(t, outcome);
  const list = jsonOf(t, await ops(t, env, 'organisation', 'list', '--json'));
  t.equal((list.organisations as unknown[]).length, 2);

  // Stands in for the service: holds the lock and keeps PostgreSQL running.
  const lock = await acquireDataDirLock(dataDir);
  const starting = startEmbeddedPostgres({ dataDir });
  const early = await ops(t, env, 'organisation', 'list', '--json');
  t.strictSame(jsonOf(t, early), list, 'the command waits for a PostgreSQL that is starting');
  const postgres = await starting;
  let ended = false;
  void postgres.ended.then(() => {
    ended = true;
  });
  jsonOf(t, await ops(t, env, ...create));
  t.notOk(ended, "the command leaves the service's PostgreSQL running");
  await postgres.stop();
  await lock.release();
  const after = jsonOf(t, await opsAlone(t, env, 'organisation', 'list', '--json'));
  t.equal((after.organisations as unknown[]).length, 3);
});

test('a command that Ctrl-C interrupts leaves no PostgreSQL running', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  const cli = [process.execPath, join(projectRoot, 'ops/cli.ts'), 'organisation', 'list'];
  const running = run(t, cli, { env: { DATA_DIR: dataDir } });
  await until('it starts PostgreSQL', async () => existsSync(pidFile));
  // npm passes on what the terminal sends too.
  running.kill('SIGINT');
  running.kill('SIGINT');
  t.match(await running.ended, { code: 130, signal: null, stdout: '' });
  t.notOk(existsSync(pidFile), 'PostgreSQL is stopped');
  const env = { DATA_DIR: dataDir };
  jsonOf(t, await ops(t, env, 'organisation', 'list', '--json'));
});
