import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConnection, urlOf } from './connection-file.ts';
import { readPostmasterFile } from './postmaster.ts';

/** cannot_connect_now (it starts or stops); our database is not made yet. */
const passing = new Set(['57P03', '3D000']);

/**
 * The PostgreSQL that runs for this DATA_DIR, for a second process beside the service; null if
 * none does. One that is just starting is waited for, up to 10 s. One that a killed service left is
 * found too; the next start of the service stops it.
 */
export async function findEmbeddedPostgres(options: {
  readonly dataDir: string;
}): Promise<{ readonly url: string } | null> {
  const dataDir = resolve(options.dataDir);
  const until = Date.now() + 10_000;
  for (;;) {
    const connection = await readConnection(dataDir);
    if (connection === undefined) return null;
    const cluster = resolve(dataDir, connection.cluster);
    const postmaster = await readPostmasterFile(cluster);
    if (postmaster === undefined) return null;
    const url = urlOf(connection);
    const refusal = await tryConnecting(url);
    if (refusal === undefined) return { url };
    const mayPass = !postmaster.ready || passing.has(refusal);
    if (!mayPass || Date.now() > until) return null;
    await sleep(100);
  }
}

/** The code of the error, undefined when it worked: our password tells our server from others. */
async function tryConnecting(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return undefined;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  } finally {
    await client.end().catch(() => {});
  }
}
