import type pg from 'pg';
import { DatabaseClient, type SessionSettings } from './database-client.ts';
import { parseDatabaseHosts } from './database-hosts.ts';
import { type FindPrimary, findPrimaryOf } from './find-primary.ts';

/**
 * Our statements are short. A forced plan (`enable_seqscan = off`) looks costly to PostgreSQL
 * before version 18. Compiling it takes longer than running it.
 */
const defaults: SessionSettings = { jit: 'off' };

export interface ConnectionTo extends Pick<pg.PoolConfig, 'connectionString'> {
  readonly settings: SessionSettings;
  readonly findPrimary?: FindPrimary;
  /** The pool's class of clients, for both other fields. */
  readonly Client: typeof DatabaseClient;
}

/**
 * Configuration of a connection to the database, for `pg.Pool` and `DatabaseClient`. Server settings
 * have three ranks: `options` of the URL (or PGOPTIONS of the environment) override our defaults,
 * and `required` overrides both. With null as `required` the session keeps the server's settings.
 */
export function connectionTo(url: string, required: SessionSettings | null = {}): ConnectionTo {
  const { urls, takesWrites } = parseDatabaseHosts(url) ?? { urls: [url], takesWrites: false };
  const [first = url] = urls;
  const given = new URL(first).searchParams.get('options') ?? process.env.PGOPTIONS ?? '';
  const kept = Object.entries(defaults).filter(([name]) => !sets(given, name));
  return {
    connectionString: first,
    settings: required === null ? {} : { ...Object.fromEntries(kept), ...required },
    ...(takesWrites && { findPrimary: findPrimaryOf(urls) }),
    Client: DatabaseClient,
  };
}

/** True if the options of a command line set this setting: `-c NAME=VALUE` or `--NAME=VALUE`. */
function sets(options: string, name: string): boolean {
  return new RegExp(`(^|\\s)(-c\\s*|--)${name}\\s*=`).test(options);
}
