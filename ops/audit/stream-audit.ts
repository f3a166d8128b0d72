import { DatabaseSync } from 'node:sqlite';
import { isUlid } from '../../src/domain/ulid.ts';
import type { CopiedPage } from './copied-row.ts';
import type { ReportFault } from './fault.ts';
import { type FoundRow, isDamaged } from './found-row.ts';
import { KeyTable } from './key-table.ts';
import { StoredKeys } from './stored-keys.ts';
import { keyNumbers, writeHashNumbers, writeStreamKey } from './stream-key.ts';
import { idNumbers, writeUlidNumbers } from './ulid-numbers.ts';

const cacheKiB = 65_536;
/** Greatest stored version; a double can still count on from it exactly. */
const mostVersion = 2 ** 52;
/** Two million streams, and two million ids: 180 MiB. */
const mostSlots = 4_194_304;

/**
 * Checks that the versions of each stream count from 1 without gaps, and that event ids are unique.
 * Keeps streams and ids in memory. Those of a longer log are in a temporary file that SQLite
 * removes, so that memory stays bounded. That takes many times as long.
 */
export class StreamAudit {
  readonly #db = new DatabaseSync('');
  readonly #streams: StoredKeys;
  readonly #ids: StoredKeys;
  readonly #reportFault: ReportFault;
  readonly #stream = new Uint32Array(keyNumbers);
  readonly #id = new Uint32Array(idNumbers);

  constructor(reportFault: ReportFault, slots = mostSlots) {
    this.#reportFault = reportFault;
    this.#db.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${cacheKiB};
      BEGIN`);
    this.#streams = new StoredKeys(this.#db, 'streams', new KeyTable(keyNumbers, slots));
    this.#ids = new StoredKeys(this.#db, 'ids', new KeyTable(idNumbers, slots));
  }

  add(row: FoundRow): void {
    if (!isDamaged(row, 'event_id')) this.#addId(row);
    if (isDamaged(row, 'stream')) return;
    writeStreamKey(row.stream, this.#stream, 0);
    const last = this.#streams.get(this.#stream, 0) ?? 0;
    const isRight = row.version === last + 1 || isDamaged(row, 'version');
    if (!isRight) this.#reportVersion(row, last + 1);
    this.#streams.set(this.#stream, 0, isRight ? last + 1 : Math.min(row.version, mostVersion));
  }

  /** Adds a sound row of a page; false, and nothing is added, if it has a fault: then `add` it. */
  addSound({ ids, streamKeys, versions }: CopiedPage, index: number): boolean {
    const [id, stream] = [idNumbers * index, keyNumbers * index];
    const version = versions[index] as number;
    if (this.#ids.get(ids, id) !== null) return false;
    if (version !== (this.#streams.get(streamKeys, stream) ?? 0) + 1) return false;
    this.#ids.set(ids, id, 0);
    this.#streams.set(streamKeys, stream, version);
    return true;
  }

  close(): void {
    this.#db.close();
  }

  #addId({ position, event_id: eventId }: FoundRow): void {
    if (isUlid(eventId)) writeUlidNumbers(eventId, this.#id, 0);
    else writeHashNumbers(eventId, this.#id, 0, idNumbers);
    if (this.#ids.get(this.#id, 0) === null) {
      this.#ids.set(this.#id, 0, 0);
      return;
    }
    const what = 'an earlier event has the same id';
    this.#reportFault({ in: 'events', position, column: 'event_id', what });
  }

  #reportVersion({ position, stream, version }: FoundRow, expected: number): void {
    const what = `the stream ${stream} has version ${version} here, but its next version must be ${expected}`;
    this.#reportFault({ in: 'events', position, column: 'version,stream', what });
  }
}
