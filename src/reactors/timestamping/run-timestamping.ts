import { defer, exhaustMap, merge, retry, tap, timer } from 'rxjs';
import type { CheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import type { CheckpointTimestamped } from '../../domain/log/timestamp-events.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore, LogReader } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import { followLog } from '../../subscriptions/follow-log.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import type { SharedCheckpoints } from '../../subscriptions/reactor-checkpoint.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import type { Timestamp } from '../../timestamps/ask-authority.ts';
import { BadToken } from '../../timestamps/bad-token.ts';
import {
  foldTimestamping,
  type TimestampingState,
  timestampingTypes,
  type UnstampedCheckpoint,
} from './timestamping-fold.ts';

export interface TimestampingOptions {
  readonly store: EventStore;
  /** Reads the log to follow; default `store`. */
  readonly tail?: LogReader;
  readonly signal: LogSignal;
  readonly checkpoints: SharedCheckpoints;
  readonly locks: Pick<WorkLocks, 'hold' | 'release'>;
  /** Asks for a verified token of the checkpoint's text. */
  readonly stamp: (memo: CheckpointMemo, stopped: AbortSignal) => Promise<Timestamp>;
  /** Called for each failed attempt. A `BadToken` is an authority that answers falsely. */
  readonly onFailed: (error: unknown, checkpoint: CheckpointMemo) => void;
  /** Called when the log or the locks cannot be used. */
  readonly onError: (error: unknown) => void;
  readonly waits?: TimestampingWaits;
  /** Milliseconds, monotonic. */
  readonly clock?: () => number;
}

export interface TimestampingWaits {
  readonly tickMs: number;
  /** Wait after a failed attempt, doubled after each further one. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

const defaultWaits = { tickMs: 500, firstRetryMs: 5_000, longestRetryMs: 600_000 };

/** Attempts of this process, by outcome. */
export type TimestampingCounts = Readonly<Record<'recorded' | 'false' | 'failed', number>>;

export interface RunningTimestamping {
  /** When the first checkpoint without a token that covers it was anchored: ISO 8601; else null. */
  pendingSince(): string | null;
  counts(): TimestampingCounts;
  /** Position up to which the log was folded. */
  position(): number;
  stop(): Promise<void>;
}

/** Name of the reactor's checkpoint, and of its lock. */
const name = 'timestamping';
const meta = { actor: name } as const;

/**
 * Records a time-stamp token for the newest anchored checkpoint. Any number of processes may run
 * this; one of them asks. It begins at the head of the log when it runs for the first time. Nothing
 * waits for it. While the authority is away, it asks less and less often.
 */
export async function runTimestamping(options: TimestampingOptions): Promise<RunningTimestamping> {
  const { store, tail = store, signal, checkpoints, locks, onError } = options;
  const { waits = defaultWaits, clock = () => performance.now() } = options;
  const first = { position: await store.head(), state: { pending: null } };
  let { position, state } = await checkpoints.begin<TimestampingState>(name, first);
  const counts = { recorded: 0, false: 0, failed: 0 };
  const pace = { restMs: 0, resumeAt: Number.NEGATIVE_INFINITY };
  const stopping = new AbortController();
  let saved = state;
  let working: Promise<void> = Promise.resolve();

  const later = (error: unknown) => {
    onError(error);
    return timer(waits.firstRetryMs);
  };
  const followed = defer(() =>
    followLog({ store: tail, signal, after: position, types: timestampingTypes }),
  ).pipe(
    tap((page) => {
      state = page.events.reduce(foldTimestamping, state);
      position = page.position;
    }),
    retry({ delay: later }),
  );

  /** Its recording may have failed: a token may cost money, so it is not asked for again. */
  let stamped: { readonly rootHash: string; readonly token: Timestamp } | null = null;
  const record = async (
    { logId, memo }: UnstampedCheckpoint,
    { authority, time, token }: Timestamp,
  ) => {
    const data = { ...memo, authority, time, token: token.toString('base64') };
    const event: CheckpointTimestamped = { type: 'CheckpointTimestamped', data };
    const stream = streams.timestamp(logId, memo.rootHash);
    const entry = { organisationId: null, stream, expectedVersion: 0, events: [event] };
    await store.append([entry], meta).catch((error) => {
      // Another process was first: its event will be folded.
      if (!(error instanceof VersionConflict)) throw error;
    });
    if (state.pending?.memo.rootHash === memo.rootHash) state = { pending: null };
    counts.recorded += 1;
    pace.restMs = 0;
  };
  const fail = async (error: unknown, { memo }: UnstampedCheckpoint) => {
    if (stopping.signal.aborted) return;
    // Another process may reach the authority.
    await locks.release(name).catch(() => {});
    counts[error instanceof BadToken ? 'false' : 'failed'] += 1;
    pace.restMs = Math.min(Math.max(2 * pace.restMs, waits.firstRetryMs), waits.longestRetryMs);
    pace.resumeAt = clock() + pace.restMs;
    options.onFailed(error, memo);
  };
  const turn = async () => {
    if (state !== saved) {
      const now = state;
      await checkpoints.save(name, { position, state: now });
      saved = now;
    }
    const { pending } = state;
    if (pending === null || clock() < pace.resumeAt) return;
    if ((await locks.hold(name)) === null) return;
    // The position of an earlier token may not be folded yet.
    const stream = streams.timestamp(pending.logId, pending.memo.rootHash);
    if ((await store.readLast(stream)) !== null) return;
    const { rootHash } = pending.memo;
    if (stamped?.rootHash !== rootHash) {
      try {
        stamped = { rootHash, token: await options.stamp(pending.memo, stopping.signal) };
      } catch (error) {
        await fail(error, pending);
        return;
      }
    }
    await record(pending, stamped.token);
    stamped = null;
  };
  const attempted = timer(waits.tickMs, waits.tickMs).pipe(
    exhaustMap(() => {
      working = turn().catch(onError);
      return working;
    }),
  );

  const running = merge(followed, attempted).subscribe();
  return {
    pendingSince: () => state.pending?.since ?? null,
    counts: () => ({ ...counts }),
    position: () => position,
    async stop() {
      running.unsubscribe();
      stopping.abort();
      await working;
      await locks.release(name).catch(() => {});
      await checkpoints.save(name, { position, state }).catch(onError);
    },
  };
}
