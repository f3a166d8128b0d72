import { workerData } from 'node:worker_threads';
import { openDatabase } from '../../../src/event-store/database.ts';
import { leafHash, leafInputOf } from '../../../src/event-store/leaf.ts';
import { serveOrders } from '../../../src/threads/serve-orders.ts';
import { foldSubtree } from '../../../src/transparency-log/tree/merkle-hash.ts';
import { SignedBlobs } from '../anchors/signed-blobs.ts';
import { checkRow } from '../rows/check-row.ts';
import {
  blockRows,
  type CopiedPage,
  copiedColumns,
  leafBytes,
  offsets,
  readCopiedRow,
} from '../rows/copied-row.ts';
import type { FoundRow } from '../rows/found-row.ts';
import { parseObject } from '../rows/parse-object.ts';
import { NamedThingsWriter } from '../streams/named-things-writer.ts';
import { keyNumbers, writeStreamKey } from '../streams/stream-key.ts';
import { idNumbers, writeUlidNumbers } from '../streams/ulid-numbers.ts';
import { copyOut } from './copy-out.ts';
import { needOf, needs } from './needed-types.ts';
import { SoundRows } from './sound-rows.ts';

/** The thread's `workerData`. */
export interface CheckingThread {
  readonly url: string;
  /** True if the signatures of transactions are verified, too. */
  readonly verifiesBlobs: boolean;
  /** True if a `ReferenceAudit` gets the rows. */
  readonly findsThings: boolean;
}

/** An order to read the rows after a position, up to another one. */
export interface CheckingOrder {
  readonly after: number;
  readonly upTo: number;
}

type Page = Omit<CopiedPage, 'things'>;

/** Rows with a longer text, or with a missing column, are left out: the caller reads them. */
const mostBytes = 65_536;

const { url, verifiesBlobs, findsThings } = workerData as CheckingThread;
const { pool } = openDatabase(url, { maxConnections: 2 });

const names = Object.keys(copiedColumns).join();
const wanted = [
  'num_nonnulls(version, schema, leaf, event_id, recorded_at, stream, type, data, meta) = 9',
  `octet_length(leaf) = ${leafBytes}`,
  `octet_length(data) + octet_length(meta) + octet_length(stream) <= ${mostBytes}`,
  `octet_length(type) + octet_length(event_id) + octet_length(recorded_at) <= ${mostBytes}`,
  `coalesce(octet_length(organisation_id), 0) <= ${mostBytes}`,
].join(' AND ');

const soundRows = new SoundRows();
const signedBlobs = verifiesBlobs ? new SignedBlobs() : null;

serveOrders<CheckingOrder, CopiedPage>(async ({ after, upTo }) => {
  const range = `position > ${after} AND position <= ${upTo}`;
  const { bytes, starts } = await copyOut(
    pool,
    `COPY (SELECT ${names} FROM events WHERE ${range} AND ${wanted}
       ORDER BY position, version) TO STDOUT (FORMAT binary)`,
  );
  const rows = starts.length;
  // A row that is left out beside another one of its position would leave no gap.
  const found = await pool.query<{ all: number }>(
    `SELECT count(*)::int AS all FROM events WHERE ${range}`,
  );
  if (found.rows[0]?.all !== rows) throw new Error('some rows are to be read by the caller');
  const isWhole = rows === upTo - after && after % blockRows === 0;
  const things = findsThings ? new NamedThingsWriter(rows) : null;
  const page: Page = {
    bytes,
    starts: Uint32Array.from(starts),
    positions: new Float64Array(rows),
    leaves: new Uint8Array(leafBytes * rows),
    sound: new Uint8Array(rows),
    needed: new Uint8Array(rows),
    versions: new Int32Array(rows),
    streamKeys: new Uint32Array(keyNumbers * rows),
    ids: new Uint32Array(idNumbers * rows),
    times: new Float64Array(rows),
    closed: new Float64Array(rows).fill(Number.NaN),
    signed: new Uint8Array(rows),
    blocks: new Uint8Array(isWhole ? leafBytes * Math.floor(rows / blockRows) : 0),
  };
  for (const [index, start] of starts.entries()) check(page, things, index, bytes, start);
  hashBlocks(page);
  const named = things?.end(isWhole && !page.sound.includes(0)) ?? null;
  const arrays = Object.values({ ...page, ...named }).filter((value) => ArrayBuffer.isView(value));
  return {
    answer: { ...page, things: named },
    transferred: arrays.map(({ buffer }) => buffer as ArrayBuffer),
  };
});

function check(
  page: Page,
  things: NamedThingsWriter | null,
  index: number,
  bytes: Buffer,
  start: number,
): void {
  const found = soundRows.take(bytes, start, page.ids, idNumbers * index);
  if (found === null) {
    checkSlowly(page, things, index, bytes, start);
    return;
  }
  const { closed, version, stream } = found;
  const { need } = found.type;
  const position = positionAt(bytes, start + offsets.position);
  writeRow(page, index, { position, version, stream, bytes, leafAt: start + offsets.leaf });
  page.needed[index] = closed === null ? need : need & ~needs.closing;
  page.closed[index] = closed ?? Number.NaN;
  if (found.blob !== null && signedBlobs?.isSigned(found.blob)) page.signed[index] = 1;
  page.sound[index] = 1;
  page.times[index] = found.time;
  if (things === null || (need & needs.references) === 0) return;
  const { owner, type } = found;
  // Scanned data are a JSON object in ASCII.
  const data = JSON.parse(bytes.toString('latin1', found.dataFrom, found.dataTo));
  things.add(index, { owner, stream, data, type: type.text });
}

/** A row that is damaged, or in another form than almost all. */
function checkSlowly(
  page: Page,
  things: NamedThingsWriter | null,
  index: number,
  bytes: Buffer,
  start: number,
): void {
  const row = readCopiedRow(bytes, start);
  const { position, version, stream, leaf } = row;
  writeRow(page, index, { position, version, stream, bytes: leaf, leafAt: 0 });
  page.needed[index] = needOf(row.type);
  if (checkRow(row).size > 0 || !leafHash(leafInputOf(row)).equals(leaf)) return;
  page.sound[index] = 1;
  writeUlidNumbers(row.event_id, page.ids, idNumbers * index);
  page.times[index] = Date.parse(row.recorded_at);
  if ((needOf(row.type) & needs.references) === 0) return;
  const { organisation_id: owner, type } = row;
  things?.add(index, { owner, stream, type, data: parseObject(row.data) });
}

/** Writes the facts that sound and damaged rows have alike. */
function writeRow(
  page: Page,
  index: number,
  row: Pick<FoundRow, 'position' | 'version' | 'stream'> & {
    /** Bytes that contain the leaf, from `leafAt` on. */
    readonly bytes: Buffer;
    readonly leafAt: number;
  },
): void {
  const { position, version, stream, bytes, leafAt } = row;
  page.positions[index] = position;
  page.versions[index] = version;
  writeStreamKey(stream, page.streamKeys, keyNumbers * index);
  bytes.copy(page.leaves, leafBytes * index, leafAt, leafAt + leafBytes);
}

function positionAt(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}

function hashBlocks({ leaves, blocks }: Page): void {
  const block = Buffer.alloc(leafBytes * blockRows);
  for (let at = 0; at < blocks.length; at += leafBytes) {
    block.set(leaves.subarray(at * blockRows, (at + leafBytes) * blockRows));
    blocks.set(foldSubtree(block), at);
  }
}
