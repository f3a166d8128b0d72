import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';
import { progress } from '../bench/progress.ts';

/** The embedded PostgreSQL as a server of its own, started again whenever it ends. */
export interface SupervisedPostgres {
  /** With the port of its first start; it may have another one now. */
  readonly url: string;
  /** Null while it does not run. */
  port(): number | null;
  pid(): number | null;
  /** SIGKILL to its first process; false if none runs. The next one starts after `awayMs`. */
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
        progress(`PostgreSQL did not start, it is tried again: ${error.message}`);
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
        // It has just ended.
        return false;
      }
    },
    async stop() {
      stopping.abort();
      await current?.stop();
      await running;
      // It may just have been starting.
      await current?.stop();
    },
  };
}
