import { hash } from 'node:crypto';
import type { EventDefinition } from '../../../src/domain/event.ts';
import { eventDefinitions } from '../../../src/domain/events.ts';
import { isUlid } from '../../../src/domain/ulid.ts';
import { leafHash, textHash } from '../../../src/event-store/leaf.ts';
import { isRecordedAt, isStreamName } from '../rows/check-row.ts';
import { copiedTexts, leafBytes, offsets } from '../rows/copied-row.ts';
import { parseCanonical } from '../rows/parse-canonical.ts';
import { closings } from '../streams/recorded-times.ts';
import { ScannedMembers, scanCanonical } from './scan-canonical.ts';

/** Facts of a sound row. */
export interface SoundRow {
  readonly version: number;
  readonly stream: string;
  readonly eventId: string;
  readonly type: string;
  /** When the row was recorded, in ms since 1970. */
  readonly time: number;
  /**
   * Close of the ledger in the event, in ms since 1970; NaN for an event without a ledger. Null if
   * the data must be parsed.
   */
  readonly closed: number | null;
  /** The signed transaction in the event, if it is not encrypted; otherwise null. */
  readonly blob: string | null;
}

/** Greatest known schema of each type. */
const schemas: ReadonlyMap<string, number> = new Map(
  Object.entries(eventDefinitions).map(([type, definition]) => {
    const { schema } = definition as EventDefinition<object>;
    return [type, schema ?? Number.POSITIVE_INFINITY];
  }),
);
const [eventId, recordedAt, owner, stream, type, data, meta] = [0, 1, 2, 3, 4, 5, 6] as const;

/**
 * Recognises sound rows by their bytes, without decoding their data: `checkRow` finds nothing in
 * them, and their leaf is right. A test compares both ways.
 */
export class SoundRows {
  /** First byte and end of each text of the row. */
  readonly #from = new Int32Array(copiedTexts);
  readonly #to = new Int32Array(copiedTexts);
  readonly #members = new ScannedMembers();
  /** Most events have the metadata of the event before, and many its time and its owner. */
  #meta: Buffer = Buffer.alloc(0);
  #metaHash = '';
  #recordedAt = '';
  #time = Number.NaN;
  #owner: string | null = null;

  /** Facts of the row of `COPY` that begins at `start`, if it is sound. Null: `checkRow` decides. */
  take(bytes: Buffer, start: number): SoundRow | null {
    if (!this.#findTexts(bytes, start)) return null;
    const members = this.#members;
    const [from, to] = [this.#from, this.#to];
    const dataFrom = from[data] as number;
    const dataTo = to[data] as number;
    if (!scanCanonical(bytes, dataFrom, dataTo, members)) return null;
    const version = bytes.readInt32BE(start + offsets.version);
    const schema = bytes.readInt32BE(start + offsets.schema);
    const typeText = this.#text(bytes, type);
    if (version < 1 || schema < 1 || !(schema <= (schemas.get(typeText) ?? 0))) return null;
    const id = this.#text(bytes, eventId);
    const streamName = this.#text(bytes, stream);
    if (!isUlid(id) || !isStreamName(streamName)) return null;
    if (!this.#takeOwner(bytes) || !this.#takeTime(bytes) || !this.#takeMeta(bytes)) return null;
    const leaf = leafHash({
      ...{ eventId: id, organisationId: this.#owner, stream: streamName, version },
      ...{ type: typeText, schema, recordedAt: this.#recordedAt, metaHash: this.#metaHash },
      dataHash: hash('sha256', bytes.subarray(dataFrom, dataTo), 'hex'),
    });
    if (leaf.compare(bytes, start + offsets.leaf, start + offsets.leaf + leafBytes) !== 0) {
      return null;
    }
    const blob = typeText === 'AnchorPrepared' ? this.#blob(bytes) : null;
    const closed = closings.has(typeText) ? this.#closed(bytes) : Number.NaN;
    return {
      version,
      stream: streamName,
      eventId: id,
      type: typeText,
      time: this.#time,
      closed,
      blob,
    };
  }

  /** False if a text other than the owner is missing. */
  #findTexts(bytes: Buffer, start: number): boolean {
    let at = start + offsets.texts;
    for (let text = 0; text < copiedTexts; text += 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      this.#from[text] = at;
      if (length < 0 && text !== owner) return false;
      at = length < 0 ? at : at + length;
      this.#to[text] = length < 0 ? -1 : at;
    }
    return true;
  }

  /** Every text that is read in this way is compared with a form of ASCII characters. */
  #text(bytes: Buffer, text: number): string {
    return bytes.toString('latin1', this.#from[text], this.#to[text]);
  }

  #takeOwner(bytes: Buffer): boolean {
    const { owner: stated, ownerEnd, hasSealed } = this.#members;
    if (this.#to[owner] === -1) {
      this.#owner = null;
      return stated < 0 && !hasSealed;
    }
    const found = this.#text(bytes, owner);
    if (found !== this.#owner && !isUlid(found)) return false;
    this.#owner = found;
    // A ULID is in JSON as it is, between quotes.
    return stated < 0 || bytes.toString('latin1', stated, ownerEnd) === `"${found}"`;
  }

  #takeTime(bytes: Buffer): boolean {
    const found = this.#text(bytes, recordedAt);
    if (found === this.#recordedAt) return true;
    if (!isRecordedAt(found)) return false;
    this.#recordedAt = found;
    this.#time = Date.parse(found);
    return true;
  }

  #takeMeta(bytes: Buffer): boolean {
    const [from, to] = [this.#from[meta] as number, this.#to[meta] as number];
    const known = this.#meta;
    if (known.length > 0 && known.compare(bytes, from, to) === 0) return true;
    const text = bytes.toString('utf8', from, to);
    if (parseCanonical(text) === null) return false;
    this.#meta = Buffer.from(bytes.subarray(from, to));
    this.#metaHash = textHash(text);
    return true;
  }

  #blob(bytes: Buffer): string | null {
    const { blob, blobEnd } = this.#members;
    const isText = blob >= 0 && bytes[blob] === 0x22;
    return isText ? bytes.toString('latin1', blob + 1, blobEnd - 1) : null;
  }

  #closed(bytes: Buffer): number | null {
    const { closed, closedEnd, hasSize } = this.#members;
    if (hasSize) return null;
    const text = closed < 0 ? '' : bytes.toString('latin1', closed, closedEnd);
    return text.startsWith('"') ? Date.parse(text.slice(1, -1)) : null;
  }
}
