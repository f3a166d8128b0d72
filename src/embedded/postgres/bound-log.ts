import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const keptFiles = 3;
const intervalMs = 10 * 60_000;

/**
 * Deletes all but the newest of PostgreSQL's log files: PostgreSQL starts a new file every 10 MB
 * and never deletes one. Returns a function that stops the deletion. Does not keep the process
 * alive.
 */
export function boundLog(cluster: string): () => void {
  const remove = () => removeOldLogs(join(cluster, 'log')).catch(() => {});
  void remove();
  const timer = setInterval(remove, intervalMs).unref();
  return () => clearInterval(timer);
}

async function removeOldLogs(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('postgresql-'));
  for (const name of names.sort().slice(0, -keptFiles)) {
    await rm(join(folder, name), { force: true });
  }
}
