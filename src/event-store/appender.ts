import type pg from 'pg';
import type { WrittenBatch } from '../telemetry/contract.ts';
import type { AppendedRows } from './appended-rows.ts';
import { type EncodedAppend, writeBatch } from './batch.ts';
import { createCoalescer } from './coalescer.ts';
import { StoreUnavailable, writeUntilKnown } from './connection-loss.ts';
import { encodeEvent } from './encode.ts';
import type { EventStore, StreamAppend } from './event-store.ts';
import { writeFirst } from './first-append.ts';
import type { HighWaterMark } from './high-water-mark.ts';
import type { Keyring } from './keyring.ts';
import { maxPageBytes } from './log-page.ts';
import { findServiceKeys } from './personal-meta.ts';
import type { EventMeta } from './stored-event.ts';

const maxBatchEvents = 1_000;
/** The longest wait of a caller for the database. */
const defaultAnswerMs = 30_000;

export interface AppenderOptions {
  readonly pool: pg.Pool;
  readonly keyring: Keyring;
  readonly highWater: HighWaterMark;
  /** Clock of `recordedAt`. */
  readonly now?: () => Date;
  /** Limit of the retries of an append whose connection was lost, before `StoreUnavailable`. */
  readonly retryMs?: number;
  /** An append without an outcome after this time rejects with `StoreSilent`. Default: 30,000. */
  readonly answerMs?: number;
  /** Keeps the rows that this store appends, for a reader of the log in this process. */
  readonly appended?: AppendedRows;
  /** Called before a batch is written; it calls the result when the outcome is known. */
  readonly onWriting?: () => () => void;
  /** Called after every batch written. */
  readonly onWritten?: (batch: WrittenBatch) => void;
}

/** Encrypts events and appends them in batches. Appending raises `highWater`. */
export function createAppender(
  options: AppenderOptions,
): Pick<EventStore, 'append' | 'appendFirst'> {
  const { pool, keyring, highWater, now = () => new Date(), retryMs = 5_000 } = options;
  const { answerMs = defaultAnswerMs, appended, onWriting, onWritten } = options;
  const write = async (appends: readonly EncodedAppend[]) => {
    highWater.requireIntact();
    const start = performance.now();
    const written = onWriting?.();
    const writing = writeUntilKnown(() => writeBatch(pool, appends), retryMs);
    const outcomes = await writing.finally(written);
    const events = appends.reduce((sum, { rows }) => sum + rows.length, 0);
    const seconds = (performance.now() - start) / 1_000;
    onWritten?.({ appends: appends.length, events, seconds });
    return outcomes;
  };
  const submit = createCoalescer(write, { events: maxBatchEvents, bytes: maxPageBytes }, answerMs);
  const encode = async (entry: StreamAppend, meta: EventMeta, recordedAt: string) => {
    const { organisationId, stream, expectedVersion, events } = entry;
    const keys = organisationId === null ? null : await keyring.find(organisationId);
    const { causedBy } = entry;
    const own = causedBy === undefined ? meta : { ...meta, causedBy };
    const needsService = keys === null && meta.operator !== undefined;
    const serviceKeys = needsService ? await findServiceKeys(keyring) : null;
    return events.map((event, index) => {
      const version = expectedVersion + 1 + index;
      const at = { organisationId, stream, version, event, recordedAt };
      return encodeEvent({ ...at, meta: own, keys, serviceKeys });
    });
  };

  /** `before` is the position of the high-water mark when the append began. */
  const seeAppended = (
    before: number,
    firstPosition: number,
    { rows, recordedAt }: { readonly rows: EncodedAppend['rows']; readonly recordedAt: string },
  ) => {
    const lastPosition = firstPosition + rows.length - 1;
    const last = rows.at(-1);
    if (last) highWater.seeAppended(before, firstPosition, { ...last, position: lastPosition });
    const eventIds = rows.map((row) => row.event_id);
    return { firstPosition, lastPosition, eventIds, recordedAt };
  };

  return {
    async append(entries, meta) {
      const recordedAt = now().toISOString();
      const named = entries.map(({ stream }) => stream);
      if (entries[0]?.events.length === 0) throw new Error(`nothing to append to ${named}`);
      if (new Set(named).size < named.length) throw new Error(`a stream named twice: ${named}`);
      const encoded = await Promise.all(entries.map((entry) => encode(entry, meta, recordedAt)));
      const rows = encoded.flat();
      const guards = entries.map(({ stream, expectedVersion }) => ({
        stream,
        expected: expectedVersion,
      }));
      const { position: before } = highWater;
      const outcome = await submit({ rows, guards });
      if ('conflict' in outcome) throw outcome.conflict;
      appended?.add(outcome.firstPosition, rows, performance.now());
      return seeAppended(before, outcome.firstPosition, { rows, recordedAt });
    },

    async appendFirst(entry, meta) {
      const recordedAt = now().toISOString();
      const rows = await encode(entry, meta, recordedAt);
      const guards = [{ stream: entry.stream, expected: entry.expectedVersion }];
      highWater.requireIntact();
      const { position: before } = highWater;
      const firstPosition = await writeFirst(pool, { rows, guards }).catch((cause: unknown) => {
        throw StoreUnavailable.wrap(cause);
      });
      if (firstPosition === null) return null;
      return seeAppended(before, firstPosition, { rows, recordedAt });
    },
  };
}
