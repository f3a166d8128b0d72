/**
 * The process that runs the tests' PostgreSQL: one for each checkout, POSTGRES_BIN and user. The first test
 * file that needs a database starts it (shared-postgres.ts); all others join. It ends, and removes its
 * data, when all runs that use it have ended, even by Ctrl-C or a kill.
 */
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { acquireDataDirLock, DataDirBusyError } from '../../src/embedded/data-dir-lock.ts';
import { isAlive } from '../../src/embedded/is-alive.ts';
import { readConnection } from '../../src/embedded/postgres/connection-file.ts';
import { locateCluster } from '../../src/embedded/postgres/locate-cluster.ts';
import { findPostmaster, stopPostmaster } from '../../src/embedded/postgres/postmaster.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { installedPostgres } from './installed-postgres.ts';

const [folder, bin] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: postgres-keeper.ts FOLDER [POSTGRES_BIN]');
const keeperFile = join(folder, 'keeper.json');
const reachableDir = join(folder, 'reachable');
const graceMs = 1_000;

try {
  const lock = await acquireDataDirLock(folder);
  await removeData(folder);
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    durable: false,
    reachableDir,
    ...(bin !== undefined && { distribution: installedPostgres(bin) }),
  });
  await easeLogins(postgres.url);
  await keepWhileUsed(postgres.url);
  await removeData(folder);
  await lock.release();
} catch (error) {
  if (!(error instanceof DataDirBusyError)) throw error;
}
process.exit();

/**
 * Reduces the cost of logins, of which tests make thousands. PostgreSQL's 4,096 hash rounds protect weak
 * passwords, and this password has 192 random bits. It is sent as it is, since only this machine can read
 * the connection.
 */
async function easeLogins(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ version: number; hba: string }>(
    `SELECT current_setting('server_version_num')::int AS version,
       current_setting('hba_file') AS hba`,
  );
  const { version = 0, hba = '' } = rows[0] ?? {};
  if (version >= 160_000) {
    await client.query('SET scram_iterations = 1');
    const password = client.escapeLiteral(new URL(url).password);
    await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${password}`);
  }
  const rules = await readFile(hba, 'utf8');
  await writeFile(hba, rules.replaceAll(/\bscram-sha-256$/gm, 'password'));
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

/** Returns when no test process is connected and no runner is alive. */
async function keepWhileUsed(url: string): Promise<void> {
  const id = randomUUID();
  const testProcesses = new Set<Socket>();
  const runners = new Set<number>();
  const server = createServer((socket) => {
    testProcesses.add(socket);
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('close', () => testProcesses.delete(socket));
    socket.on('data', (runner) => {
      if (Number(runner) > 1) runners.add(Number(runner));
      socket.write(id);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await writeFile(keeperFile, JSON.stringify({ id, port, url }), { mode: 0o600 });
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      asked = true;
    });
  }
  let usedAt = Date.now();
  while (!asked && Date.now() - usedAt < graceMs) {
    await sleep(100);
    if (testProcesses.size > 0 || [...runners].some(isAlive)) usedAt = Date.now();
  }
  server.close();
  for (const socket of testProcesses) socket.destroy();
}

/** Keeps the lock file: processes that wait for the lock must find the same file. */
async function removeData(dataDir: string): Promise<void> {
  await rm(keeperFile, { force: true });
  if ((await readConnection(dataDir).catch(() => undefined)) !== undefined) {
    const { cluster, user } = await locateCluster(dataDir, reachableDir);
    const pid = await findPostmaster(cluster, user);
    if (pid !== undefined) await stopPostmaster(pid, 0);
    await rm(cluster, { recursive: true, force: true });
    if (!cluster.startsWith(dataDir)) await rm(dirname(cluster), { recursive: true, force: true });
  }
  for (const name of ['postgres.json', 'postgres', 'reachable', 'data-dirs']) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}
