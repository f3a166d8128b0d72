import { exhaustMap, timer } from 'rxjs';
import type { CheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import type { LoadedLog } from '../../loading/load-log.ts';
import { CheckpointRequests } from './checkpoint-requests.ts';

const maxTickMs = 15_000;

/**
 * Requests the newest published checkpoint when `intervalMs` has passed since the last turn, by the log's own times,
 * and the log has new events. Several processes may run this at once. Returns a function that stops
 * it, and resolves after the current turn.
 */
export function runCheckpointRequests(deps: {
  readonly store: EventStore;
  readonly leaves: Pick<Leaves, 'read'>;
  /** Reads the newest published checkpoint, of any epoch; null if there is none. */
  readonly published: () => Promise<CheckpointMemo | null>;
  /** State of the log, as folded here. */
  readonly log: () => LoadedLog;
  /** Returns true once the log is known to be the one that anchored before. Absent: always true. */
  readonly mayRequest?: () => boolean;
  /** The account that anchors checkpoints. */
  readonly account: string;
  readonly intervalMs: number;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}): () => Promise<void> {
  const { log, intervalMs, now, onError } = deps;
  const requests = new CheckpointRequests(deps);
  const tickMs = Math.min(intervalMs, maxTickMs);
  let turn: Promise<unknown> = Promise.resolve();
  let seen = { turnAt: '', atMs: performance.now() };
  /** Also works if the clock was set back since the last turn. */
  const isDue = (turnAt: string) => {
    const atMs = performance.now();
    if (seen.turnAt !== turnAt) seen = { turnAt, atMs };
    return now().getTime() - Date.parse(turnAt) >= intervalMs || atMs - seen.atMs >= intervalMs;
  };
  const take = async () => {
    const { checkpoint, lastTurnAt } = log().state;
    if (deps.mayRequest?.() === false) return;
    if (lastTurnAt === '' || checkpoint.status !== 'none' || !isDue(lastTurnAt)) return;
    // A failed request is retried at the next tick, and one for which nothing is published yet.
    turn = requests.request(log(), 'interval', { actor: 'anchoring' }).catch(onError);
    await turn;
  };
  const running = timer(tickMs, tickMs).pipe(exhaustMap(take)).subscribe();
  return async () => {
    running.unsubscribe();
    await turn;
  };
}
