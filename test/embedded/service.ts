/**
 * Stub of the service in a process of its own. Starts PostgreSQL in DATA_DIR and prints one line of
 * JSON. Stops in order on SIGTERM and ignores SIGINT.
 */
import { acquireDataDirLock } from '../../src/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '../../src/embedded/postgres/start-embedded-postgres.ts';

const [dataDir, reachableDir] = process.argv.slice(2);
if (dataDir === undefined || reachableDir === undefined) throw new Error('usage: DIR DIR');

process.on('SIGINT', () => {});
try {
  const lock = await acquireDataDirLock(dataDir);
  const startedAt = performance.now();
  const { url, pid, stop } = await startEmbeddedPostgres({ dataDir, reachableDir });
  const startMs = Math.round(performance.now() - startedAt);
  process.once('SIGTERM', async () => {
    await stop();
    await lock.release();
    process.exit();
  });
  process.stdout.write(`${JSON.stringify({ url, pid, startMs })}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stdout.write(`${JSON.stringify({ error: error.message, name: error.name })}\n`);
  process.exit(1);
}
