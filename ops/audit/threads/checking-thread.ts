import { workerData } from 'node:worker_threads';
import { openDatabase } from '../../../src/event-store/database.ts';
import { leafHash, leafInputOf } from '../../../src/event-store/leaf.ts';
import { serveOrders } from '../../../src/threads/serve-orders.ts';
import { rootOf } from '../../../src/transparency-log/tree/frontier.ts';
import { SignedBlobs } from '../anchors/signed-blobs.ts';
import { checkRow } from '../rows/check-row.ts';
import {
  blockRows,
  type CopiedPage,
  copiedColumns,
  hashesIn,
  leafBytes,
  offsets,
  readCopiedRow,
} from '../rows/copied-row.ts';
import { keyNumbers, writeStreamKey } from '../streams/stream-key.ts';
import { idNumbers, writeUlidNumbers } from '../streams/ulid-numbers.ts';
import { copyOut } from './copy-out.ts';
import { needOf } from './needed-types.ts';
import { SoundRows } from './sound-rows.ts';

/** The thread's `workerData`. */
export interface CheckingThread {
  readonly url: string;
  /** True if the signatures of transactions are verified, too. */
  readonly verifiesBlobs: boolean;
}

/** An order to read the rows after a position, up to another one. */
export interface CheckingOrder {
  readonly after: number;
  readonly upTo: number;
}

/** Rows with a longer text, or with a missing column, are left out: the caller reads them. */
const mostBytes = 65_536;

const { url, verifiesBlobs } = workerData as CheckingThread;
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
  const { bytes, starts } = await copyOut(
    pool,
    `COPY (SELECT ${names} FROM events WHERE position > ${after} AND position <= ${upTo}
       AND ${wanted} ORDER BY position, version) TO STDOUT (FORMAT binary)`,
  );
  const rows = starts.length;
  const isWhole = rows === upTo - after && after % blockRows === 0;
  const page: CopiedPage = {
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
  for (const [index, start] of starts.entries()) check(page, index, bytes, start);
  hashBlocks(page);
  return { answer: page, transferred: Object.values(page).map(({ buffer }) => buffer) };
});

function check(page: CopiedPage, index: number, bytes: Buffer, start: number): void {
  const found = soundRows.take(bytes, start);
  if (found === null) {
    checkSlowly(page, index, bytes, start);
    return;
  }
  const { closed } = found;
  const need = needOf(found.type);
  const leaf = start + offsets.leaf;
  page.positions[index] = Number(bytes.readBigInt64BE(start + offsets.position));
  page.leaves.set(bytes.subarray(leaf, leaf + leafBytes), leafBytes * index);
  page.versions[index] = found.version;
  page.needed[index] = need === 2 && closed !== null ? 1 : need;
  page.closed[index] = closed ?? Number.NaN;
  if (found.blob !== null && signedBlobs?.isSigned(found.blob)) page.signed[index] = 1;
  writeStreamKey(found.stream, page.streamKeys, keyNumbers * index);
  page.sound[index] = 1;
  writeUlidNumbers(found.eventId, page.ids, idNumbers * index);
  page.times[index] = found.time;
}

/** A row that is damaged, or in another form than almost all. */
function checkSlowly(page: CopiedPage, index: number, bytes: Buffer, start: number): void {
  const row = readCopiedRow(bytes, start);
  page.positions[index] = row.position;
  page.leaves.set(row.leaf, leafBytes * index);
  page.versions[index] = row.version;
  page.needed[index] = needOf(row.type);
  writeStreamKey(row.stream, page.streamKeys, keyNumbers * index);
  if (checkRow(row).size > 0 || !leafHash(leafInputOf(row)).equals(row.leaf)) return;
  page.sound[index] = 1;
  writeUlidNumbers(row.event_id, page.ids, idNumbers * index);
  page.times[index] = Date.parse(row.recorded_at);
}

function hashBlocks({ leaves, blocks }: CopiedPage): void {
  for (let at = 0; at < blocks.length; at += leafBytes) {
    blocks.set(rootOf(hashesIn(leaves, (at / leafBytes) * blockRows, blockRows)), at);
  }
}
