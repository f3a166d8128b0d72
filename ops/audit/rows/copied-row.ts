import { type FoundRow, foundRow, type textColumns } from './found-row.ts';
import type { NamedThings } from './named-things.ts';

/**
 * Rows of a stretch of the log in the binary format of COPY, in the order of `copiedColumns`, and
 * what a thread has found out about each of them.
 */
export interface CopiedPage {
  readonly bytes: Uint8Array;
  /** Start of each row in `bytes`. */
  readonly starts: Uint32Array;
  readonly positions: Float64Array;
  /** 32 bytes a row, as stored. */
  readonly leaves: Uint8Array;
  /**
   * 1 for a row without a fault that can be seen in the row alone: `checkRow` finds nothing, and the
   * leaf is right.
   */
  readonly sound: Uint8Array;
  /** As `needOf` for each row, without `needs.closing` if `closed` has the time of the ledger. */
  readonly needed: Uint8Array;
  readonly versions: Int32Array;
  /** Key of each row's stream, as `streamKeyOf`. */
  readonly streamKeys: Uint32Array;
  /** Each row's event id, as `ulidNumbers`, if the row is sound. */
  readonly ids: Uint32Array;
  /** When each row was recorded, in ms since 1970, if the row is sound. */
  readonly times: Float64Array;
  /** Close of the ledger in the event, in ms since 1970, if the row is sound; otherwise NaN. */
  readonly closed: Float64Array;
  /** 1 if the signature of the row's transaction holds; 0 if it must be verified. */
  readonly signed: Uint8Array;
  /**
   * 32 bytes for each complete block of `blockRows` positions: the root over its leaves. Empty if
   * the page has gaps.
   */
  readonly blocks: Uint8Array;
  /** Facts for `ReferenceAudit` about the sound rows; null if no such audit runs. */
  readonly things: NamedThings | null;
}

/** Columns with the types that `CopiedRow` reads; those of fixed length come first. */
export const copiedColumns = {
  position: 'bigint',
  version: 'integer',
  schema: 'integer',
  leaf: 'bytea',
  event_id: 'text',
  recorded_at: 'text',
  organisation_id: 'text',
  stream: 'text',
  type: 'text',
  data: 'text',
  meta: 'text',
} as const;

/** Positions of a block, whose leaves are hashed together: a power of two. */
export const blockRows = 16;
export const leafBytes = 32;

const lengthBytes = 4;
/** Offsets from the start of a row, which begins with the number of its fields. */
export const offsets = { position: 6, version: 18, schema: 26, leaf: 34, texts: 66 } as const;
const texts = Object.keys(copiedColumns).slice(4) as (typeof textColumns)[number][];
/** Number of columns from `offsets.texts` on, each after its length. */
export const copiedTexts = texts.length;

/** Decodes a row of a page. */
export function rowAt({ bytes, starts }: CopiedPage, index: number): FoundRow {
  return readCopiedRow(bufferOf(bytes), starts[index] as number);
}

/** Hashes of 32 bytes from the one at `first` on. */
export function hashesIn(bytes: Uint8Array, first: number, count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, n) =>
    bufferOf(bytes).subarray(leafBytes * (first + n), leafBytes * (first + n + 1)),
  );
}

/** The same bytes: a Buffer arrives from another thread as a Uint8Array. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Decodes the row of `COPY` that begins at `start`. */
export function readCopiedRow(bytes: Buffer, start: number): FoundRow {
  const read: Record<string, unknown> = { organisation_id: null };
  let from = start + offsets.texts;
  for (const name of texts) {
    const length = bytes.readInt32BE(from);
    from += lengthBytes;
    if (length < 0) continue;
    read[name] = bytes.toString('utf8', from, from + length);
    from += length;
  }
  const leaf = start + offsets.leaf;
  return foundRow(Number(bytes.readBigInt64BE(start + offsets.position)), {
    ...read,
    version: bytes.readInt32BE(start + offsets.version),
    schema: bytes.readInt32BE(start + offsets.schema),
    leaf: Buffer.from(bytes.subarray(leaf, leaf + leafBytes)),
  });
}
