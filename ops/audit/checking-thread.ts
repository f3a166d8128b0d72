import { workerData } from 'node:worker_threads';
import { openDatabase } from '../../src/event-store/database.ts';
import { leafHash, leafInputOf } from '../../src/event-store/leaf.ts';
import { serveOrders } from '../../src/threads/serve-orders.ts';
import { rootOf } from '../../src/transparency-log/tree/frontier.ts';
import { checkRow } from './check-row.ts';
import {
  blockRows,
  type CopiedPage,
  copiedColumns,
  hashesIn,
  leafBytes,
  readCopiedRow,
} from './copied-row.ts';
import { copyOut } from './copy-out.ts';
import { needOf } from './needed-types.ts';
import { keyNumbers, writeStreamKey } from './stream-key.ts';
import { idNumbers, writeUlidNumbers } from './ulid-numbers.ts';

/** The thread's `workerData`. */
export interface CheckingThread {
  readonly url: string;
}

/** An order to read the rows after a position, up to another one. */
export interface CheckingOrder {
  readonly after: number;
  readonly upTo: number;
}

/** Rows with a longer text, or with a missing column, are left out: the caller reads them. */
const mostBytes = 65_536;

const { url } = workerData as CheckingThread;
const { pool } = openDatabase(url, { maxConnections: 1 });

const names = Object.keys(copiedColumns).join();
const wanted = [
  'num_nonnulls(version, schema, leaf, event_id, recorded_at, stream, type, data, meta) = 9',
  `octet_length(leaf) = ${leafBytes}`,
  `octet_length(data) + octet_length(meta) + octet_length(stream) <= ${mostBytes}`,
  `octet_length(type) + octet_length(event_id) + octet_length(recorded_at) <= ${mostBytes}`,
  `coalesce(octet_length(organisation_id), 0) <= ${mostBytes}`,
].join(' AND ');

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
    blocks: new Uint8Array(isWhole ? leafBytes * Math.floor(rows / blockRows) : 0),
  };
  for (const [index, start] of starts.entries()) check(page, index, bytes, start);
  hashBlocks(page);
  return { answer: page, transferred: Object.values(page).map(({ buffer }) => buffer) };
});

function check(page: CopiedPage, index: number, bytes: Buffer, start: number): void {
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
