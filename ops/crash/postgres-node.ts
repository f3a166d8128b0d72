import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from '../../src/embedded/postgres/binaries.ts';
import {
  launchPostmaster,
  type Postmaster,
} from '../../src/embedded/postgres/launch-postmaster.ts';
import { settings } from '../../src/embedded/postgres/settings.ts';
import type { SystemUser } from '../../src/embedded/postgres/system-user.ts';
import { connectionTo } from '../../src/event-store/connection-to.ts';
import { DatabaseClient } from '../../src/event-store/database-client.ts';

const run = promisify(execFile);
const connectWithinMs = 30_000;

export interface NodeOptions {
  readonly name: string;
  readonly cluster: string;
  readonly binaries: Binaries;
  readonly user: SystemUser | undefined;
  /** URL of the node's database, with the port on which it runs. */
  readonly url: string;
}

/** One of several PostgreSQL servers that replicate each other. */
export class PostgresNode {
  readonly name: string;
  readonly url: string;
  readonly #options: NodeOptions;
  #postmaster: Postmaster | null = null;

  constructor(options: NodeOptions) {
    this.name = options.name;
    this.url = options.url;
    this.#options = options;
  }

  get pid(): number | null {
    return this.#postmaster?.pid ?? null;
  }

  async start(): Promise<void> {
    const { cluster, binaries, user, url } = this.#options;
    this.#postmaster = await launchPostmaster({
      ...{ cluster, binaries, user, port: Number(new URL(url).port), durable: false },
      settings: { ...settings, wal_keep_size: '1GB', wal_retrieve_retry_interval: '200ms' },
      startupLogFile: join(dirname(cluster), `${this.name}-startup.log`),
    });
  }

  /** Sends SIGKILL, and waits until it has ended. */
  async kill(): Promise<void> {
    const postmaster = this.#postmaster;
    if (postmaster === null) return;
    this.#postmaster = null;
    process.kill(postmaster.pid, 'SIGKILL');
    await postmaster.ended;
  }

  /** Runs one statement on a connection of its own. */
  async query(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new DatabaseClient({
      ...connectionTo(this.url),
      connectionTimeoutMillis: connectWithinMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Sets a setting of the running server. */
  async set(name: string, value: string): Promise<void> {
    await this.query(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.query('SELECT pg_reload_conf()');
  }

  /** Replaces the data of this stopped node by a copy of a running one, as a standby of it. */
  async copyFrom(primary: PostgresNode): Promise<void> {
    const { cluster } = this.#options;
    const from = primary.#options.cluster;
    await rm(cluster, { recursive: true, force: true });
    const client = new DatabaseClient(connectionTo(primary.url));
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query(`SELECT pg_backup_start('${this.name}', fast => true)`);
      // Files that PostgreSQL changes meanwhile may be torn or vanish; replaying WAL repairs them.
      await run('cp', ['-a', from, cluster]).catch(() => {});
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
      );
      await this.#makeStandby(primary.url, rows[0]?.labelfile ?? '');
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #makeStandby(primaryUrl: string, label: string): Promise<void> {
    const { cluster } = this.#options;
    const { uid, gid } = await stat(join(cluster, 'PG_VERSION'));
    for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal']) {
      await rm(join(cluster, name), { recursive: true, force: true });
    }
    const wal = join(cluster, 'pg_wal');
    await mkdir(wal);
    await chown(wal, uid, gid);
    await chmod(wal, 0o700);
    const { hostname, port, username, password } = new URL(primaryUrl);
    const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=${this.name}`;
    const own = join(cluster, 'postgresql.auto.conf');
    const kept = (await readFile(own, 'utf8')).replaceAll(/^primary_conninfo.*\n/gm, '');
    await writeFile(own, kept);
    await appendFile(own, `primary_conninfo = '${source}'\n`);
    for (const [name, text] of [
      ['backup_label', label],
      ['standby.signal', ''],
    ] as const) {
      await writeFile(join(cluster, name), text);
      await chown(join(cluster, name), uid, gid);
    }
  }
}
