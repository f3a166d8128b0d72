import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConnection, urlOf } from './connection-file.ts';
import { readPostmasterFile } from './postmaster.ts';

/** cannot_connect_now (the server starts or stops); our database does not exist yet. */
const passing = new Set(['57P03', '3D000']);

/**
 * The running PostgreSQL of this DATA_DIR, for a second process beside the service; null if none
 * runs. Waits up to 10 s for one that is starting. Also finds one left by a killed service; the
 * next start of the service stops it.
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

/** The error code, or undefined on success. Only our own server accepts our password. */
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
