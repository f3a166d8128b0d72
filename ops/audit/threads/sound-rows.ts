import { hash } from 'node:crypto';
import { plainLeafBits, textHash } from '../../../src/event-store/leaf.ts';
import { isRecordedAt } from '../rows/check-row.ts';
import { copiedTexts, offsets } from '../rows/copied-row.ts';
import { parseCanonical } from '../rows/parse-canonical.ts';
import { idNumbers, readUlidNumbers } from '../streams/ulid-numbers.ts';
import { isSame, type KnownType, knownTypeAt } from './known-types.ts';
import { ScannedMembers, scanCanonical } from './scan-canonical.ts';

/** Facts of a sound row. */
export interface SoundRow {
  readonly version: number;
  readonly stream: string;
  readonly owner: string | null;
  readonly type: KnownType;
  /** First byte of the data. */
  readonly dataFrom: number;
  /** Byte after the data. */
  readonly dataTo: number;
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

const [eventId, recordedAt, owner, stream, type, data, meta] = [0, 1, 2, 3, 4, 5, 6] as const;
/** As `isStreamName`, without characters that JSON escapes. Others take the other way. */
const plainStream = /^[!#-[\]-~]+-[!#-[\]-~]+$/;
const quote = 0x22;

/**
 * Recognises sound rows by their bytes, without decoding their data: `checkRow` finds nothing in
 * them, and their leaf is right. A test compares both ways.
 */
export class SoundRows {
  /** First byte and end of each text of the row. */
  readonly #from = new Int32Array(copiedTexts);
  readonly #to = new Int32Array(copiedTexts);
  readonly #members = new ScannedMembers();
  readonly #id = new Uint32Array(idNumbers);
  /** Most events have the metadata of the event before, and many its time and its owner. */
  readonly #meta = new LastText();
  #metaHash = '';
  readonly #recordedAt = new LastText();
  #time = Number.NaN;
  readonly #owner = new LastText();

  /**
   * Facts of the row of `COPY` that begins at `start`, if it is sound. Null: `checkRow` decides.
   * @param ids receives the numbers of the event's id at `idAt`, if the row is sound
   */
  take(bytes: Buffer, start: number, ids: Uint32Array, idAt: number): SoundRow | null {
    if (!this.#findTexts(bytes, start)) return null;
    const members = this.#members;
    const [from, to] = [this.#from, this.#to];
    const dataFrom = from[data] as number;
    const dataTo = to[data] as number;
    const known = knownTypeAt(bytes, from[type] as number, to[type] as number);
    if (known === null || !scanCanonical(bytes, dataFrom, dataTo, members)) return null;
    const version = bytes.readInt32BE(start + offsets.version);
    const schema = bytes.readInt32BE(start + offsets.schema);
    if (version < 1 || schema < 1 || schema > known.schema) return null;
    const [idFrom, idTo] = [from[eventId] as number, to[eventId] as number];
    if (!readUlidNumbers(bytes, idFrom, idTo, ids, idAt)) return null;
    const streamName = this.#text(bytes, stream);
    if (!plainStream.test(streamName)) return null;
    if (!this.#takeOwner(bytes) || !this.#takeTime(bytes) || !this.#takeMeta(bytes)) return null;
    const leaf = plainLeafBits({
      eventId: this.#text(bytes, eventId),
      organisationId: to[owner] === -1 ? null : this.#owner.text,
      stream: streamName,
      version,
      type: known.text,
      schema,
      recordedAt: this.#recordedAt.text,
      metaHash: this.#metaHash,
      dataHash: hash('sha256', bytes.subarray(dataFrom, dataTo), 'hex'),
    });
    if (!isTextAt(bytes, start + offsets.leaf, leaf)) return null;
    return {
      version,
      stream: streamName,
      owner: to[owner] === -1 ? null : this.#owner.text,
      type: known,
      ...{ dataFrom, dataTo },
      time: this.#time,
      closed: known.hasClosing ? this.#closed(bytes) : Number.NaN,
      blob: known.text === 'AnchorPrepared' ? this.#blob(bytes) : null,
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
    const [from, to] = [this.#from[owner] as number, this.#to[owner] as number];
    if (to === -1) return stated < 0 && !hasSealed;
    const last = this.#owner;
    if (!last.is(bytes, from, to)) {
      if (!readUlidNumbers(bytes, from, to, this.#id, 0)) return false;
      last.set(bytes, from, to, 'latin1');
    }
    if (stated < 0) return true;
    // A ULID is in JSON as it is, between quotes.
    const isQuoted = bytes[stated] === quote && bytes[ownerEnd - 1] === quote;
    return isQuoted && isSame(bytes, stated + 1, ownerEnd - 1, last.bytes);
  }

  #takeTime(bytes: Buffer): boolean {
    const [from, to] = [this.#from[recordedAt] as number, this.#to[recordedAt] as number];
    const last = this.#recordedAt;
    if (last.is(bytes, from, to)) return true;
    const found = this.#text(bytes, recordedAt);
    if (!isRecordedAt(found)) return false;
    last.set(bytes, from, to, 'latin1');
    this.#time = Date.parse(found);
    return true;
  }

  #takeMeta(bytes: Buffer): boolean {
    const [from, to] = [this.#from[meta] as number, this.#to[meta] as number];
    const last = this.#meta;
    if (last.is(bytes, from, to)) return true;
    const text = bytes.toString('utf8', from, to);
    if (parseCanonical(text) === null) return false;
    last.set(bytes, from, to, 'utf8');
    this.#metaHash = textHash(text);
    return true;
  }

  #blob(bytes: Buffer): string | null {
    const { blob, blobEnd } = this.#members;
    const isText = blob >= 0 && bytes[blob] === quote;
    return isText ? bytes.toString('latin1', blob + 1, blobEnd - 1) : null;
  }

  #closed(bytes: Buffer): number | null {
    const { closed, closedEnd, hasSize } = this.#members;
    if (hasSize) return null;
    const text = closed < 0 ? '' : bytes.toString('latin1', closed, closedEnd);
    return text.startsWith('"') ? Date.parse(text.slice(1, -1)) : null;
  }
}

/** The last sound text of a column. */
class LastText {
  bytes: Uint8Array = new Uint8Array(0);
  text = '';

  /** True if the bytes are this text. It is never empty. */
  is(bytes: Uint8Array, from: number, to: number): boolean {
    return to > from && isSame(bytes, from, to, this.bytes);
  }

  set(bytes: Buffer, from: number, to: number, encoding: 'latin1' | 'utf8'): void {
    this.bytes = Uint8Array.prototype.slice.call(bytes, from, to);
    this.text = bytes.toString(encoding, from, to);
  }
}

/** True if the characters of Latin-1 are the bytes at `at`. */
function isTextAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let n = 0; n < text.length; n += 1) if (bytes[at + n] !== text.charCodeAt(n)) return false;
  return true;
}
