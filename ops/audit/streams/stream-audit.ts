import { isUlid } from '../../../src/domain/ulid.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { KeyTable } from '../bounded/key-table.ts';
import { StoredKeys } from '../bounded/stored-keys.ts';
import { openTemporaryDatabase } from '../bounded/temporary-database.ts';
import type { Cause } from '../findings/causes.ts';
import type { Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import type { CopiedPage } from '../rows/copied-row.ts';
import { type FoundRow, isDamaged } from '../rows/found-row.ts';
import { keyNumbers, writeHashNumbers, writeStreamKey } from './stream-key.ts';
import { idNumbers, writeUlidNumbers } from './ulid-numbers.ts';

const cacheKiB = 65_536;
/** Greatest stored version; a double can still count on from it exactly. */
const mostVersion = 2 ** 52;
/** Two million streams, and two million ids: 120 MiB. */
const mostSlots = 4_194_304;
/** Of a typical log. */
const eventsPerStream = 2;

/** Streams whose further faults are added to the first one. */
const mostFaulty = 1_000;

/** A missing event, or one of which the stream or version is unknown. */
interface Lost {
  readonly cause: Cause;
  /** Versions that may still be missing in a stream. */
  left: number;
}

/**
 * Checks that the versions of each stream count from 1 without gaps, and that event ids are unique.
 * Keeps streams and ids in memory. Those of a longer log are in a temporary file that SQLite
 * removes, so that memory stays bounded. That takes many times as long.
 */
export class StreamAudit {
  readonly #db = openTemporaryDatabase(cacheKiB);
  readonly #streams: StoredKeys;
  readonly #ids: StoredKeys;
  readonly #findings: Findings;
  readonly #stream = new Uint32Array(keyNumbers);
  readonly #id = new Uint32Array(idNumbers);
  readonly #lost: Lost[] = [];
  readonly #faults = new Map<string, Fault>();

  /** @param events number of events that are to be expected, for which no table has to grow */
  constructor(findings: Findings, events = 0) {
    this.#findings = findings;
    const streams = new KeyTable(keyNumbers, mostSlots, events / eventsPerStream);
    this.#streams = new StoredKeys(this.#db, 'streams', streams);
    this.#ids = new StoredKeys(this.#db, 'ids', new KeyTable(idNumbers, mostSlots, events));
  }

  add(row: FoundRow): void {
    if (!isDamaged(row, 'event_id')) this.#addId(row);
    if (isDamaged(row, 'stream')) return;
    const { position, stream, version } = row;
    const expected = this.#nextOf(stream);
    const isRight = version === expected || isDamaged(row, 'version');
    this.#streams.set(this.#stream, 0, isRight ? expected : Math.min(version, mostVersion));
    if (isRight) return;
    if (version > expected && this.#isOfLost(stream, expected, version - expected)) return;
    const what = `the stream ${stream} has version ${version} here, but its next version must be ${expected}`;
    this.#fault(stream, { in: 'events', position, column: 'version,stream', what });
  }

  /** Adds a sound row of a page; false, and nothing is added, if its version is wrong: then `add` it. */
  addSound({ ids, positions, streamKeys, versions }: CopiedPage, index: number): boolean {
    const version = versions[index] as number;
    const stream = keyNumbers * index;
    if (!this.#streams.replace(streamKeys, stream, version - 1, version)) return false;
    if (!this.#ids.replace(ids, idNumbers * index, 0, 1)) {
      this.#reportId(positions[index] as number);
    }
    return true;
  }

  /**
   * Counts a row that is known to be damaged. Returns false if its version is not the next one of
   * its stream. The stream then stays as it was.
   */
  addDamaged(row: EventRow): boolean {
    if (isDamaged(row, 'stream') || isDamaged(row, 'version')) return false;
    if (row.version !== this.#nextOf(row.stream)) return false;
    this.#streams.set(this.#stream, 0, row.version);
    return true;
  }

  /** Records that streams may lack versions from here on. */
  lose(cause: Cause, versions = 1): void {
    const last = this.#lost.at(-1);
    if (last?.cause === cause) last.left += versions;
    else if (this.#lost.length < mostFaulty) this.#lost.push({ cause, left: versions });
  }

  /** Marks the missing events of which nothing became known. Call this at the end. */
  end(): void {
    for (const { cause, left } of this.#lost) if (left > 0) this.#findings.leaveUnnamed(cause);
  }

  /** Next version of a stream, whose key is then in `#stream`. */
  #nextOf(stream: string): number {
    writeStreamKey(stream, this.#stream, 0);
    return (this.#streams.get(this.#stream, 0) ?? 0) + 1;
  }

  /** True if lost events explain that versions are missing. */
  #isOfLost(stream: string, expected: number, missing: number): boolean {
    const open = this.#lost.filter(({ left }) => left > 0);
    const total = open.reduce((sum, { left }) => sum + left, 0);
    if (total < missing) return false;
    const [only] = open;
    if (open.length === 1 && only !== undefined && total === 1) {
      const { fault } = only.cause;
      if (/^event \d+ is missing(:|$)/.test(fault.what)) {
        const what = `${fault.what}. It was version ${expected} of the stream ${stream}`;
        this.#findings.amend(fault, { what });
      }
    }
    let left = missing;
    for (const lost of open) {
      const taken = Math.min(left, lost.left);
      lost.left -= taken;
      left -= taken;
      if (taken > 0) this.#findings.nameStream(lost.cause, stream);
    }
    return true;
  }

  #fault(stream: string, fault: Fault): void {
    const first = this.#faults.get(stream);
    if (first !== undefined) this.#findings.addConsequence(first, fault);
    else {
      const reported = this.#findings.reportFault(fault);
      if (this.#faults.size < mostFaulty) this.#faults.set(stream, reported);
    }
  }

  close(): void {
    this.#db.close();
  }

  #addId({ position, event_id: eventId }: FoundRow): void {
    if (isUlid(eventId)) writeUlidNumbers(eventId, this.#id, 0);
    else writeHashNumbers(eventId, this.#id, 0, idNumbers);
    if (!this.#ids.replace(this.#id, 0, 0, 1)) this.#reportId(position);
  }

  #reportId(position: number): void {
    const what = 'an earlier event has the same id';
    this.#findings.reportFault({ in: 'events', position, column: 'event_id', what });
  }
}
