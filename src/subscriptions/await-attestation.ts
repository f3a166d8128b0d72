import { defer, filter, firstValueFrom, merge, type SchedulerLike, timer } from 'rxjs';
import type { Network } from '../domain/network.ts';
import type { CompletedProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { StreamWatch } from './stream-watch.ts';

/** Longest wait for the signatures of a ledger's validators before a certificate is issued. */
const attestationWaitMs = 5_000;
/** Nobody waits for a ledger that closed longer ago: its validations were probably missed. */
const lateAfterMs = 60_000;

interface WaitOptions {
  readonly store: Pick<EventStore, 'readLast'>;
  readonly watch: Pick<StreamWatch, 'changes'>;
  /** Networks whose validators this service listens to. */
  readonly networks: readonly Network[];
  readonly now: () => Date;
  /** Default: real time. */
  readonly scheduler?: SchedulerLike;
}

/**
 * Creates a wait for the signatures of validators for the ledger of a proof. It resolves as soon as
 * they are on record, or those of another ledger of its index, and at the latest after five seconds.
 * It does not wait for networks without validator lists, nor for ledgers that closed more than a
 * minute ago. Rejects if the store cannot be read, or if the database went back.
 */
export function createAttestationWait({
  store,
  watch,
  networks,
  now,
  scheduler,
}: WaitOptions): (proof: CompletedProof) => Promise<void> {
  return async ({ request, anchor }) => {
    const ageMs = now().getTime() - Date.parse(anchor.closeTimeIso);
    if (!networks.includes(request.network) || ageMs > lateAfterMs) return;
    const stream = streams.attestation(anchor.ledgerId, anchor.ledgerIndex);
    const recorded = defer(() => store.readLast(stream)).pipe(filter((event) => event !== null));
    // Changes come first, so that no event is missed between reading and watching.
    const first = merge(watch.changes(stream), recorded, timer(attestationWaitMs, scheduler));
    await firstValueFrom(first);
  };
}
