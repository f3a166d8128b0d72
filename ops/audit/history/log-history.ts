import { isValidClassicAddress } from 'ripple-address-codec';
import type { CheckpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { EarlierRestore, LogRestored } from '../../../src/domain/log/events.ts';
import { logName } from '../../../src/domain/log/origin.ts';
import { isOnNetwork, type Network, networks } from '../../../src/domain/network.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import type { JsonObject } from '../rows/parse-canonical.ts';
import { parseObject } from '../rows/parse-object.ts';
import type { Queryable } from '../rows/read-rows.ts';

/** The log's events about itself, read before the audit of the rows. */
export interface LogHistory {
  /** Null if the first event does not name a log. */
  readonly logId: string | null;
  /** Origin of the first epoch; that of earlier releases if the first event states none. */
  readonly name: string;
  /** Ordered by log position. */
  readonly restores: readonly Restore[];
  /** Sizes at which the root will be compared. */
  readonly sizes: ReadonlySet<number>;
  /** Position of the first request of each checkpoint, by `requestKey`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Accounts that signed checkpoints, as the log records them. */
  readonly accounts: readonly AnchoringAccount[];
}

export function requestKey({ origin, size }: Pick<CheckpointMemo, 'origin' | 'size'>): string {
  return `${size} ${origin}`;
}

/** An account that signs checkpoints. */
export interface AnchoringAccount {
  readonly account: string;
  /** Null if it is unknown. */
  readonly network: Network | null;
}

export interface Restore {
  readonly position: number;
  /** As recorded; malformed entries of `earlier` are left out. */
  readonly data: LogRestored['data'];
  /** False for an event of a release whose events named no earlier restores. */
  readonly namesEarlier: boolean;
}

/** A row as found: columns may be null if the constraints of the table were dropped. */
type Row = Pick<EventRow, 'position' | 'schema'> & {
  readonly [Column in 'stream' | 'type' | 'data']: string | null;
};

const types = [
  'LogOpened',
  'LogRestored',
  'CheckpointRequested',
  'CheckpointPrepared',
  'CheckpointAnchored',
];
const pageSize = 500;

/** Ignores malformed events; the audit of the rows reports them. */
export async function readHistory(rows: AsyncIterable<Row>): Promise<LogHistory> {
  let logId: string | null = null;
  let name = '';
  const restores: Restore[] = [];
  const sizes = new Set<number>();
  const requests = new Map<string, number>();
  const accounts = new Map<string, AnchoringAccount>();
  for await (const row of rows) {
    const { position, type } = row;
    const data = parseObject(row.data ?? '');
    if (position === 1) {
      logId = logIdOf(row);
      name = nameOf(data, logId ?? '');
    } else if (type === 'LogRestored' && isRestore(data)) {
      restores.push(restoreOf(row, data));
      sizes.add(data.keptSize);
    } else if (type === 'CheckpointPrepared') {
      const one = anchoringAccount(data);
      if (one !== null) accounts.set(`${one.account} ${one.network}`, one);
    } else if (types.includes(type ?? '')) {
      const [origin, size] = [String(data?.origin), Number(data?.size)];
      sizes.add(size);
      const key = requestKey({ origin, size });
      if (type === 'CheckpointRequested' && !requests.has(key)) requests.set(key, position);
    }
  }
  return { logId, name, restores, sizes, requests, accounts: [...accounts.values()] };
}

/** True if a line of an export may hold an event that `readHistory` needs. */
export function isOfHistory(line: string): boolean {
  if (line.startsWith('{"position":1,')) return true;
  return types.some((type) => line.includes(`"${type}"`));
}

/** Longer than any of these events; longer data are not read. */
const mostBytes = 1_048_576;

/** Yields the first event and the other events that `readHistory` needs, up to a position. */
export async function* ownRows(database: Queryable, upTo: number): AsyncGenerator<Row> {
  const columns = `position, version, stream, type, schema,
    CASE WHEN octet_length(data) <= ${mostBytes} THEN data END AS data`;
  const { rows: first } = await database.query<Row>(
    `SELECT ${columns} FROM events WHERE position = 1 LIMIT 1`,
  );
  yield* first;
  const logId = first[0] === undefined ? null : logIdOf(first[0]);
  if (logId === null) return;
  for (let version = 0; ; ) {
    const { rows } = await database.query<Row & { readonly version: number }>(
      `SELECT ${columns} FROM events
       WHERE stream = $1 AND version > $2 AND position > 1 AND position <= $3 AND type = ANY ($4)
       ORDER BY version LIMIT ${pageSize}`,
      [streams.log(logId), version, upTo, types],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    version = last.version;
  }
}

/** Log id of the first event, or of its stream name if that event is damaged. */
function logIdOf({ stream, type, data }: Row): string | null {
  const logId = parseObject(data ?? '')?.logId;
  if (type === 'LogOpened' && typeof logId === 'string') return logId;
  const prefix = streams.log('');
  return stream?.startsWith(prefix) ? stream.slice(prefix.length) : null;
}

/** The origin that the first event states. Events of earlier releases (schema 1) state none. */
function nameOf(data: JsonObject | null, logId: string): string {
  const { origin } = data ?? {};
  return typeof origin === 'string' ? origin : logName(logId);
}

function anchoringAccount(data: JsonObject | null): AnchoringAccount | null {
  const [account, ledgerId] = [String(data?.account), String(data?.ledgerId)];
  if (!isValidClassicAddress(account)) return null;
  return { account, network: networks.find((one) => isOnNetwork(ledgerId, one)) ?? null };
}

function restoreOf({ position, schema }: Row, data: RecordedRestore): Restore {
  const namesEarlier = schema >= firstNaming;
  const { earlier } = data;
  const named = namesEarlier && Array.isArray(earlier) ? earlier.filter(isEarlier) : [];
  return { position, data: { ...data, earlier: named }, namesEarlier };
}

/** First schema of LogRestored that names earlier restores. */
const firstNaming = 3;

/** A restore whose earlier restores may be missing or malformed. */
type RecordedRestore = Omit<LogRestored['data'], 'earlier'> & { readonly earlier?: unknown };

function isEarlier(value: unknown): value is EarlierRestore {
  const { epoch, keptSize, published, anchored } = Object(value) as JsonObject;
  const isKept = keptSize === null || Number.isSafeInteger(keptSize);
  return Number.isSafeInteger(epoch) && isKept && [published, anchored].every(isNullOrMemo);
}

function isRestore(data: JsonObject | null): data is JsonObject & RecordedRestore {
  const { epoch, keptSize, published, anchored } = data ?? {};
  return [epoch, keptSize].every(Number.isSafeInteger) && [published, anchored].every(isNullOrMemo);
}

function isNullOrMemo(value: unknown): boolean {
  if (value === null) return true;
  const { origin, size, rootHash } = Object(value) as Partial<CheckpointMemo>;
  return typeof origin === 'string' && Number.isInteger(size) && typeof rootHash === 'string';
}
