import { exhaustMap, timer } from 'rxjs';
import { CheckpointRequests } from '../../commands/checkpoint-requests.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import type { LoadedLog } from '../../transparency-log/load-log.ts';

const maxTickMs = 15_000;

/**
 * Requests a checkpoint when so much time has passed since the last turn, in the log's own times,
 * and something has happened. Several processes may do so at once. Ends when the returned function
 * is called, after the turn that is being taken.
 */
export function runCheckpointRequests(deps: {
  readonly store: EventStore;
  readonly leaves: Pick<Leaves, 'read'>;
  /** The log's own state as it was folded here. */
  readonly log: () => LoadedLog;
  /** Whether it is known to be the log that was anchored before; absent: it is. */
  readonly mayRequest?: () => boolean;
  /** The account that they are anchored from. */
  readonly account: string;
  readonly intervalMs: number;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}): () => Promise<void> {
  const { store, leaves, log, account, intervalMs, now, onError } = deps;
  const requests = new CheckpointRequests(store, leaves, account);
  const tickMs = Math.min(intervalMs, maxTickMs);
  let turn: Promise<unknown> = Promise.resolve();
  let seen = { turnAt: '', atMs: performance.now() };
  /** Also where the clock was set back since the last turn. */
  const isDue = (turnAt: string) => {
    const atMs = performance.now();
    if (seen.turnAt !== turnAt) seen = { turnAt, atMs };
    return now().getTime() - Date.parse(turnAt) >= intervalMs || atMs - seen.atMs >= intervalMs;
  };
  const take = async () => {
    const { checkpoint, lastTurnAt } = log().state;
    if (deps.mayRequest?.() === false) return;
    if (lastTurnAt === '' || checkpoint.status !== 'none' || !isDue(lastTurnAt)) return;
    // What fails is tried again with the next tick.
    turn = requests.request(log(), 'interval', { actor: 'anchoring' }).catch(onError);
    await turn;
  };
  const running = timer(tickMs, tickMs).pipe(exhaustMap(take)).subscribe();
  return async () => {
    running.unsubscribe();
    await turn;
  };
}
