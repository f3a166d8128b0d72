import { hash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { ReportFault } from './fault.ts';
import { type FoundRow, isDamaged } from './found-row.ts';

const cacheKiB = 65_536;
/** Greatest stored version; a double can still count on from it exactly. */
const mostVersion = 2 ** 52;

/**
 * Checks that the versions of each stream count from 1 without gaps, and that event ids are unique.
 * Stores its state in a temporary file that SQLite removes, so that memory stays bounded.
 */
export class StreamAudit {
  readonly #db = new DatabaseSync('');
  readonly #next: StatementSync;
  readonly #set: StatementSync;
  readonly #addId: StatementSync;
  readonly #reportFault: ReportFault;

  constructor(reportFault: ReportFault) {
    this.#reportFault = reportFault;
    this.#db.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKiB};
      CREATE TABLE streams (name BLOB PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE ids (id BLOB PRIMARY KEY) WITHOUT ROWID;
      BEGIN`);
    this.#next = this.#db.prepare(`
      INSERT INTO streams VALUES (?, 1)
      ON CONFLICT DO UPDATE SET version = version + 1 RETURNING version`);
    this.#set = this.#db.prepare('UPDATE streams SET version = ? WHERE name = ?');
    this.#addId = this.#db.prepare('INSERT OR IGNORE INTO ids VALUES (?)');
  }

  add(row: FoundRow): void {
    const { position, stream, version, event_id: eventId } = row;
    if (!isDamaged(row, 'event_id') && this.#addId.run(short(eventId)).changes === 0) {
      const what = 'an earlier event has the same id';
      this.#reportFault({ in: 'events', position, column: 'event_id', what });
    }
    if (isDamaged(row, 'stream')) return;
    const name = short(stream);
    const { version: expected } = this.#next.get(name) as { readonly version: number };
    if (version !== expected && !isDamaged(row, 'version')) {
      const what = `the stream ${stream} has version ${version} here, but its next version must be ${expected}`;
      this.#reportFault({ in: 'events', position, column: 'version,stream', what });
      this.#set.run(Math.min(version, mostVersion), name);
    }
  }

  close(): void {
    this.#db.close();
  }
}

/** First 16 bytes of the hash; a collision is not to be expected. */
function short(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}
