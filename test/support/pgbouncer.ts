import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { choosePostgresUser } from '../../src/embedded/postgres/system-user.ts';
import { temporaryFolder } from '../embedded/run-service.ts';
import { until } from './until.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

/** Options of a test that needs PgBouncer: skips it where PgBouncer is not installed. */
export const withPgBouncer = {
  skip: program === undefined && 'pgbouncer is not installed (apt-get install pgbouncer)',
};

export interface PgBouncer {
  /** URL of the database through PgBouncer. */
  readonly url: string;
  /** Resolves with all that it has logged. */
  stop(): Promise<string>;
}

/** Starts PgBouncer before a database, with its own defaults but for these. */
export async function startPgBouncer(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
  settings: { readonly pool_mode: 'session' | 'transaction' | 'statement' },
): Promise<PgBouncer> {
  const { username, password, hostname, port: ofServer, pathname } = new URL(databaseUrl);
  const folder = await temporaryFolder(t);
  const port = await chooseFreePort();
  const server = `host=${hostname} port=${ofServer} user=${username} password=${password}`;
  const lines = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' },
    ...{ max_client_conn: 300, default_pool_size: 100, ...settings },
  };
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `[databases]\n* = ${server}\n[pgbouncer]\n${text.join('\n')}\n`);
  const user = await choosePostgresUser();
  if (user !== undefined) await chown(file, user.uid, user.gid);
  const child = spawn(program ?? '', [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    return log;
  };
  t.teardown(stop);
  const url = `postgres://anybody@127.0.0.1:${port}${pathname}`;
  await until('PgBouncer answers', async () => {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => {});
    }
  });
  return { url, stop };
}
