import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundledPostgres } from '../../src/embedded/postgres/distribution.ts';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import { locateCluster } from '../../src/embedded/postgres/locate-cluster.ts';
import { defaultReachableDir } from '../../src/embedded/postgres/reachable-dir.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { PostgresNode } from './postgres-node.ts';
import { waitFor } from './wait-for.ts';

/** A primary and a synchronous standby, which change places. */
export interface ReplicatedPostgres {
  /** Names both servers. */
  readonly url: string;
  /** URL of the first primary. */
  readonly firstUrl: string;
  /** Ports of both servers. */
  readonly ports: readonly number[];
  /** Port of the server that takes writes; null while there is none. */
  primaryPort(): number | null;
  /** Process id of the primary; null while it is down. */
  pid(): number | null;
  /**
   * Kills the primary and promotes the standby after `awayMs`. The old primary comes back as it was
   * for `staleMs`, and then as the new standby. Resolves when that one is synchronous.
   */
  failOver(awayMs: number, staleMs: number): Promise<void>;
  /** Kills the standby, so that no commit is confirmed, and starts it again after `awayMs`. */
  loseStandby(awayMs: number): Promise<void>;
  stop(): Promise<void>;
}

const withinMs = 60_000;

export async function startReplicatedPostgres(dataDir: string): Promise<ReplicatedPostgres> {
  const first = await startEmbeddedPostgres({ dataDir, durable: false });
  const { user, cluster } = await locateCluster(dataDir, defaultReachableDir);
  const binaries = await bundledPostgres.provideBinaries(user, defaultReachableDir);
  await first.stop();
  const other = Object.assign(new URL(first.url), { port: String(await chooseFreePort()) });
  const shared = { binaries, user };
  const second = join(dirname(cluster), 'postgres-b');
  const nodes = [
    new PostgresNode({ ...shared, name: 'a', cluster, url: first.url }),
    new PostgresNode({ ...shared, name: 'b', cluster: second, url: other.href }),
  ] as const;
  let [primary, standby] = nodes;
  let isPromoted = true;
  await primary.start();
  await follow(primary, standby);
  const { username, password, pathname } = new URL(first.url);
  const hosts = nodes.map(({ url }) => new URL(url).host).join(',');
  return {
    url: `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`,
    firstUrl: first.url,
    ports: nodes.map(({ url }) => Number(new URL(url).port)),
    primaryPort: () => (isPromoted ? Number(new URL(primary.url).port) : null),
    pid: () => primary.pid,
    async failOver(awayMs, staleMs) {
      isPromoted = false;
      [primary, standby] = [standby, primary];
      await standby.kill();
      await delay(awayMs);
      await primary.query('SELECT pg_promote(true, 60)');
      await primary.set('synchronous_standby_names', '');
      isPromoted = true;
      if (staleMs > 0) {
        await standby.start();
        await delay(staleMs);
        await standby.kill();
      }
      await follow(primary, standby);
    },
    async loseStandby(awayMs) {
      await standby.kill();
      await delay(awayMs);
      await standby.start();
      await awaitState(primary, 'sync');
    },
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}

/** Makes `standby` the synchronous standby of `primary`. */
async function follow(primary: PostgresNode, standby: PostgresNode): Promise<void> {
  await standby.copyFrom(primary);
  await standby.start();
  await awaitState(primary, 'async');
  await primary.set('synchronous_standby_names', '*');
  await awaitState(primary, 'sync');
}

async function awaitState(primary: PostgresNode, state: 'async' | 'sync'): Promise<void> {
  const text = `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${state}'`;
  const look = async () => {
    const found = await primary.query(text).catch(() => []);
    return found.length > 0 ? true : null;
  };
  await waitFor(`the standby is ${state}`, look, withinMs);
}
