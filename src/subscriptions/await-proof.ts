import {
  concatMap,
  defer,
  filter,
  firstValueFrom,
  type Observable,
  retry,
  startWith,
  take,
  takeUntil,
  throwError,
  timer,
} from 'rxjs';
import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofEvent } from '../domain/proof/events.ts';
import type { ProofState } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import { isConnectionLoss, StoreUnavailable } from '../event-store/connection-loss.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { load } from '../event-store/handling/load.ts';
import type { StreamWatch } from './stream-watch.ts';

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
 */
export async function awaitProof(
  deps: { readonly store: EventStore; readonly watch: StreamWatch },
  proofId: ProofId,
  end: Observable<unknown>,
): Promise<ProofState> {
  const stream = streams.proof(proofId);
  const read = async () => (await load(deps.store, stream, proofDecider)).state;
  const readUntilKnown = () => defer(read).pipe(retry({ delay: afterPause }));
  const settled = deps.watch.changes(stream).pipe(
    filter((header) => settling.has(header.type)),
    // Subscribe before this first read, so that no event is missed in between.
    startWith(null),
    concatMap(readUntilKnown),
    filter(isSettled),
    take(1),
    takeUntil(end),
  );
  return (await firstValueFrom(settled, { defaultValue: null })) ?? read();
}

/** True if the state of the proof is final. */
export function isSettled(state: ProofState): boolean {
  return state.status === 'completed' || state.status === 'withdrawn' || state.status === 'refused';
}

function afterPause(error: unknown): Observable<unknown> {
  const away = error instanceof StoreUnavailable || isConnectionLoss(error);
  return away ? timer(readAgainMs) : throwError(() => error);
}
