import { filter, firstValueFrom, type Observable, startWith, take, takeUntil } from 'rxjs';
import { concatMap } from 'rxjs/operators';
import type { Recorded } from '../domain/event.ts';
import type { ProofEvent } from '../domain/proof/events.ts';
import { evolveProof } from '../domain/proof/evolve.ts';
import { type ProofState, unknownProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { StreamWatch } from './stream-watch.ts';

const settling = new Set<string>([
  'Anchored',
  'ProofWithdrawn',
  'AnchorRefused',
] satisfies ProofEvent['type'][]);

/**
 * Waits until the proof is settled (completed, withdrawn or refused) or `end` emits. Resolves with
 * its state then, which is read from the stream and so never older than what the caller has seen.
 */
export async function awaitProof(
  deps: { readonly store: EventStore; readonly watch: StreamWatch },
  proofId: ProofId,
  end: Observable<unknown>,
): Promise<ProofState> {
  const stream = streams.proof(proofId);
  const read = async () => {
    const events = (await deps.store.readStream(stream)) as unknown as Recorded<ProofEvent>[];
    return events.reduce(evolveProof, unknownProof);
  };
  const settled = deps.watch.changes(stream).pipe(
    filter((header) => settling.has(header.type)),
    // Subscribed before this first look, so nothing is missed in between.
    startWith(null),
    concatMap(read),
    filter(isSettled),
    take(1),
    takeUntil(end),
  );
  return (await firstValueFrom(settled, { defaultValue: null })) ?? read();
}

function isSettled(state: ProofState): boolean {
  return state.status === 'completed' || state.status === 'withdrawn' || state.status === 'refused';
}
