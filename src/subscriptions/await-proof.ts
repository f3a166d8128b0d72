import { setTimeout as delay } from 'node:timers/promises';
import { type Observable, Subscription } from 'rxjs';
import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofEvent } from '../domain/proof/events.ts';
import type { ProofState } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import { isConnectionLoss, StoreUnavailable } from '../event-store/connection-loss.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { type Loaded, load } from '../event-store/handling/load.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { StreamChange, StreamWatch } from './stream-watch.ts';

/** A proof as its caller appended it, with the log position of its last event. */
export type OpenedProof = Loaded<ProofState> & { readonly position: number };

const settling = new Set<string>([
  'Anchored',
  'ProofWithdrawn',
  'AnchorRefused',
] satisfies ProofEvent['type'][]);

const readAgainMs = 250;

/**
 * Waits until the proof is settled (completed, withdrawn or refused) or `end` emits. Resolves with
 * the state at that time. The state is read from the stream, so it is never older than the caller's
 * last read. Keeps waiting while the database is unreachable. Rejects with `StoreUnavailable` if
 * the database is still unreachable when `end` emits.
 *
 * With `opened` the state is folded from the events of the watch. The stream is read only if one of
 * them is missing.
 */
export async function awaitProof(
  { store, watch }: { readonly store: EventStore; readonly watch: StreamWatch },
  proofId: ProofId,
  end: Observable<unknown>,
  opened?: OpenedProof,
): Promise<ProofState> {
  const stream = streams.proof(proofId);
  const read = async () => (await load(store, stream, proofDecider)).state;
  let isOver = false;
  let wake = () => {};
  const changes = watch.changes(stream);
  // Before the first read, and in the same turn as `reached`: no event is missed in between.
  let isDue = opened === undefined || watch.reached() > opened.position;
  let known: Loaded<ProofState> | null = isDue ? null : (opened ?? null);
  const subscriptions = new Subscription();
  const over = new Promise<null>((resolve, reject) => {
    const onChange = (change: StreamChange) => {
      try {
        known = known && advance(known, change.event);
      } catch (error) {
        reject(error);
        return;
      }
      if (!settling.has(change.type)) return;
      isDue = true;
      wake();
    };
    const onEnd = () => {
      isOver = true;
      resolve(null);
    };
    subscriptions.add(changes.subscribe({ next: onChange, error: reject }));
    subscriptions.add(end.subscribe({ next: onEnd, error: reject }));
  });
  over.catch(() => {});
  try {
    while (!isOver) {
      if (isDue) {
        isDue = false;
        if (known !== null && isSettled(known.state)) return known.state;
        const state = await Promise.race([readUntilKnown(read, () => isOver), over]);
        if (state !== null && isSettled(state)) return state;
      } else {
        const woken = new Promise<null>((resolve) => {
          wake = () => resolve(null);
        });
        await Promise.race([woken, over]);
      }
    }
    return await read();
  } finally {
    subscriptions.unsubscribe();
  }
}

/** Folds the next event of the stream; null if it is missing, or cannot be read whole. */
function advance(known: Loaded<ProofState>, event?: StoredEvent): Loaded<ProofState> | null {
  if (event === undefined) return null;
  const { state, version } = known;
  if (event.version <= version) return known;
  if (event.version > version + 1 || event.erased) return null;
  // The name of a stream determines the type of its events.
  const own = event as StoredEvent<ProofEvent>;
  return { state: proofDecider.evolve(state, own), version: event.version };
}

/** Reads again while the database is away; null if the wait is over meanwhile. */
async function readUntilKnown(
  read: () => Promise<ProofState>,
  isOver: () => boolean,
): Promise<ProofState | null> {
  while (!isOver()) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) && !isConnectionLoss(error)) throw error;
      await delay(readAgainMs);
    }
  }
  return null;
}

/** True if the state of the proof is final. */
export function isSettled(state: ProofState): boolean {
  return state.status === 'completed' || state.status === 'withdrawn' || state.status === 'refused';
}
