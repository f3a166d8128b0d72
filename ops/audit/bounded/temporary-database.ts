import { DatabaseSync } from 'node:sqlite';

/**
 * Opens a database of SQLite in a temporary file, which SQLite removes. So the memory for what an
 * audit remembers is bounded. Everything is one transaction, which nobody commits.
 */
export function openTemporaryDatabase(cacheKiB?: number): DatabaseSync {
  const db = new DatabaseSync('');
  const cache = cacheKiB === undefined ? '' : `PRAGMA cache_size = -${cacheKiB};`;
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${cache} BEGIN`);
  return db;
}
