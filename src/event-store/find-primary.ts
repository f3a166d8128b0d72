import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Transient } from '../errors/transient.ts';
import { unreachableDatabase } from './connection-loss.ts';

/** None of the servers takes writes now. Try again. */
export class NoPrimary extends Transient {
  readonly code = 'ENOPRIMARY';

  constructor(reasons: readonly string[]) {
    super(`no server of the database takes writes: ${reasons.join('; ')}`);
  }

  override get operatorMessage(): string {
    return unreachableDatabase(this);
  }
}

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Finds the server that takes writes now. Calls at the same time share one search. */
export type FindPrimary = () => Promise<ServerAddress>;

const answerWithinMs = 3_000;
/** Time that the other servers have once one has said that it takes writes. */
const othersMs = 300;

/** Searches by the URLs of their servers. */
const searches = new Map<string, FindPrimary>();

/**
 * Asks all servers at once. Of several that take writes, the one on the highest timeline was
 * promoted last, and the others are former primaries. A timeline below the highest one that any
 * connection of this thread to these servers has seen is never used. Rejects with `NoPrimary`.
 */
export function findPrimaryOf(urls: readonly string[]): FindPrimary {
  const servers = urls.join(' ');
  const search = searches.get(servers) ?? createFindPrimary(urls);
  searches.set(servers, search);
  return search;
}

function createFindPrimary(urls: readonly string[]): FindPrimary {
  let highest = 0;
  let searching: Promise<ServerAddress> | null = null;

  const search = async (): Promise<ServerAddress> => {
    const found: Primary[] = [];
    const reasons: string[] = [];
    let onFound = () => {};
    const first = new Promise<void>((resolve) => {
      onFound = resolve;
    });
    const asked = urls.map(async (url) => {
      try {
        found.push(await askServer(url));
        onFound();
      } catch (error) {
        const { host } = new URL(url);
        reasons.push(`${host}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
    const all = Promise.all(asked);
    await Promise.race([all, first.then(() => Promise.race([all, delay(othersMs)]))]);
    const best = found.reduce<Primary | null>(
      (last, next) => (last === null || next.timeline > last.timeline ? next : last),
      null,
    );
    if (best === null) throw new NoPrimary(reasons);
    if (best.timeline < highest) {
      const { host, port, timeline } = best;
      const reason = `${host}:${port}: on timeline ${timeline}, but ${highest} was seen: a former primary`;
      throw new NoPrimary([...reasons, reason]);
    }
    highest = best.timeline;
    return best;
  };

  return () => {
    searching ??= search().finally(() => {
      searching = null;
    });
    return searching;
  };
}

interface Primary extends ServerAddress {
  readonly timeline: number;
}

interface Row {
  readonly standby: boolean;
  readonly read_only: string;
  readonly timeline: string | null;
}

/** Rejects with the reason why the server takes no writes. */
async function askServer(connectionString: string): Promise<Primary> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    application_name: 'proofmark search',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Row>(
      `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS read_only,
        CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_lsn()), 8) END
          AS timeline`,
    );
    const [row] = rows;
    if (row === undefined || row.standby) throw new Error('a standby');
    if (row.read_only !== 'off') throw new Error('read-only');
    const { host, port } = client;
    return { host, port, timeline: Number.parseInt(row.timeline ?? '', 16) };
  } finally {
    client.end().catch(() => {});
  }
}
