import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { progress } from '../bench/harness/progress.ts';

/** The embedded PostgreSQL as a separate server, restarted whenever it ends. */
export interface SupervisedPostgres {
  /** URL with the port of the first start; a restart may change the port. */
  readonly url: string;
  /** Null while PostgreSQL is down. */
  port(): number | null;
  pid(): number | null;
  /** Sends SIGKILL to the main process; false if none runs. The next one starts after `awayMs`. */
  kill(awayMs: number): boolean;
  stop(): Promise<void>;
}

const ownEndMs = 200;

export async function supervisePostgres(dataDir: string): Promise<SupervisedPostgres> {
  const first = await startEmbeddedPostgres({ dataDir });
  let current: typeof first | null = first;
  let awayMs = ownEndMs;
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await current?.ended;
      current = null;
      await delay(awayMs, null, { signal: stopping.signal }).catch(() => {});
      awayMs = ownEndMs;
      if (stopping.signal.aborted) return;
      current = await startEmbeddedPostgres({ dataDir }).catch((error: Error) => {
        progress(`PostgreSQL did not start; retrying: ${error.message}`);
        return null;
      });
    }
  })();
  return {
    url: first.url,
    port: () => (current === null ? null : Number(new URL(current.url).port)),
    pid: () => current?.pid ?? null,
    kill(away) {
      if (current === null) return false;
      awayMs = away;
      try {
        return process.kill(current.pid, 'SIGKILL');
      } catch {
        // The process has just ended.
        return false;
      }
    },
    async stop() {
      stopping.abort();
      await current?.stop();
      await running;
      // A start may have been under way.
      await current?.stop();
    },
  };
}
