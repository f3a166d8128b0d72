import { type ChildProcess, spawn } from 'node:child_process';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { findPostmaster } from '../../../src/embedded/postgres/postmaster.ts';
import { choosePostgresUser } from '../../../src/embedded/postgres/system-user.ts';
import { initialisedDataDir } from '../../support/prepared-data-dir.ts';
import { query, startHere } from '../run-service.ts';

/** postmaster.pid as left by a power loss, naming a running process. */
async function leavePidFile(dataDir: string, text: string, pid: number | undefined) {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  await writeFile(file, text.replace(/^\d+/, String(pid)), { mode: 0o600 });
  await chown(file, uid, gid);
}

test('a stale postmaster.pid does not block, even if another process has its pid', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const first = await startHere(t, dataDir);
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  await first.stop();
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  const sleeper: ChildProcess = spawn('/bin/sleep', ['60'], { cwd: '/', uid, gid });
  t.teardown(() => sleeper.kill());
  for (const [who, pid] of [
    ['nobody', 2 ** 22],
    ['a process of the same user', sleeper.pid],
    ['this process', process.pid],
    ['the first process', 1],
  ] as const) {
    await leavePidFile(dataDir, pidFile, pid);
    const next = await startHere(t, dataDir);
    t.strictSame(await query(next.url, 'SELECT 1 AS works'), [{ works: 1 }], who);
    await next.stop();
  }
  t.equal(sleeper.exitCode ?? sleeper.signalCode, null, 'the other process is left alone');
});

test('finds a running PostgreSQL, and keeps its postmaster.pid', async (t) => {
  const dataDir = await initialisedDataDir(t);
  const { pid, url } = await startHere(t, dataDir);
  const cluster = join(dataDir, 'postgres');
  const user = await choosePostgresUser(await stat(cluster));
  t.equal(await findPostmaster(cluster, user), pid);
  t.equal(await findPostmaster(cluster, user), pid);
  t.strictSame(await query(url, 'SELECT 1 AS works'), [{ works: 1 }]);
});
