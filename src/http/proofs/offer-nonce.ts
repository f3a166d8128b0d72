import { setImmediate as nextTurn } from 'node:timers/promises';
import { concatMap, filter, firstValueFrom, startWith, take, takeUntil, timer } from 'rxjs';
import { type HashScheme, isSalted } from '../../domain/proof/hash-scheme.ts';
import type { VisibleProof } from '../../domain/proof/state.ts';
import { streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { nonceWasDelivered } from '../../loading/nonce-was-delivered.ts';
import type { StreamWatch } from '../../subscriptions/stream-watch.ts';
import type { KeyedCall } from '../route.ts';
import type { NonceClaim, NonceDeliveries } from './nonce-deliveries.ts';

/** Dependencies of giving a nonce to one caller. */
export interface NonceOfferDeps {
  readonly store: EventStore;
  readonly watch: StreamWatch;
  /** Records which nonces reached a caller. */
  readonly nonces: NonceDeliveries;
}

/** Decides, when the answer is made, if it carries the nonce of the proof. */
export type NonceOffer = (state: VisibleProof) => Promise<boolean>;

/** The part of one answer in giving a nonce to a caller. */
interface OfferedNonce {
  readonly offer: NonceOffer;
  /** Leaves the nonce to another answer, because this one is an error. */
  readonly withdraw: () => void;
}

/** The proof of a call; `created` is true for the call that requested it. */
interface CalledProof {
  readonly proofId: ProofId;
  readonly hashScheme: HashScheme;
  readonly created: boolean;
}

/**
 * The nonce goes with the first successful answer that reaches a caller. The call that creates the
 * proof claims the nonce at once, so other calls leave it to that one while its connection is open.
 * Call this directly after the proof is requested. Call `withdraw` if the answer is an error within
 * a successful response, such as one of a batch.
 */
export function offerNonce(
  deps: NonceOfferDeps,
  call: Pick<KeyedCall<unknown, unknown, unknown>, 'caller' | 'meta' | 'whenAnswered'>,
  { proofId, hashScheme, created }: CalledProof,
): OfferedNonce {
  let mine: NonceClaim | null = null;
  const claim = (): NonceClaim | null => {
    const claimed = deps.nonces.claim(proofId);
    if (claimed === null) return null;
    const { caller, meta } = call;
    const { organisationId } = caller;
    call.whenAnswered((isSuccess) => {
      if (isSuccess) claimed.delivered(organisationId, meta);
      else claimed.release();
    });
    mine = claimed;
    return claimed;
  };
  if (created && isSalted(hashScheme)) claim();

  const offer: NonceOffer = async (state) => {
    if (state.request.nonce === null) return false;
    if (!created) {
      const claimed = state.request.recordsDelivery ? claim() : null;
      if (claimed === null) return false;
      if (await wasDelivered(deps, state)) {
        claimed.release();
        return false;
      }
    }
    // One whole turn of the event loop reads the end of a connection that the caller has closed, such
    // as while this process was paused. The answer then fails, and the nonce is not lost with it.
    await nextTurn();
    await nextTurn();
    return true;
  };
  return { offer, withdraw: () => mine?.release() };
}

/** Time in which another process records the delivery of an answer that it has just sent. */
const recordingMs = 500;

/** Waits for the record of a delivery, since another process may have answered at the same time. */
async function wasDelivered(
  { store, watch }: Pick<NonceOfferDeps, 'store' | 'watch'>,
  state: VisibleProof,
): Promise<boolean> {
  const delivered = watch.changes(streams.nonce(state.request.proofId)).pipe(
    // Subscribe before this first read, so that no event is missed in between.
    startWith(null),
    concatMap(() => nonceWasDelivered(store, state)),
    filter(Boolean),
    take(1),
    takeUntil(timer(recordingMs)),
  );
  const inTime = await firstValueFrom(delivered, { defaultValue: null });
  return inTime ?? nonceWasDelivered(store, state);
}
