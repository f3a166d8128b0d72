import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import { type FailedTransaction, proofDecider } from '../../domain/proof/decider.ts';
import { isSalted } from '../../domain/proof/hash-scheme.ts';
import type { ProofMemo } from '../../domain/proof/memo.ts';
import type { ProofRequest } from '../../domain/proof/state.ts';
import { streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { handleStreams } from '../../event-store/handling/handle.ts';
import { load } from '../../event-store/handling/load.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { proofEntries } from '../../loading/proof-entries.ts';
import { type FateGateway, fateOfKnown, signaturesOf } from './fate-of-known.ts';

/** A revision that was given up, which the log has lost. */
export interface PassedOver {
  readonly proofId: ProofId;
  /** Its transaction that failed on the ledger, unknown to the log as well. */
  readonly failed: FailedTransaction | null;
}

interface Deps {
  readonly store: EventStore;
  readonly gateway: FateGateway;
  readonly ledgerId: string;
}

/**
 * Compares the memo of a transaction on the ledger with the revisions before a proof. Resolves with
 * the open ones that the memo passes over: it names the nearest earlier revision that was not given
 * up, so these had been given up when it was signed. Resolves with null if it can be no memo of this
 * proof.
 *
 * The log may know the signatures of an earlier revision, and have lost which of them is on the
 * ledger: the memo may name each one. `sent` is the transaction of the memo. Rejects if the servers'
 * history is too short.
 */
export async function revisionsPassedOver(
  deps: Deps,
  { document }: ProofRequest,
  memo: ProofMemo,
  sent: Pick<SignedTransaction, 'account' | 'sequence'>,
): Promise<readonly PassedOver[] | null> {
  const previous = memo.previous ?? null;
  const passedOver: PassedOver[] = [];
  let proofId = document?.previousProofId ?? null;
  while (proofId !== null) {
    const { state } = await load(deps.store, streams.proof(proofId), proofDecider);
    switch (state.status) {
      case 'unknown':
        return previous === null ? passedOver : null;
      case 'completed':
        return previous === state.anchor.transactionHash ? passedOver : null;
      case 'pending':
      case 'processing': {
        const isNamed = signaturesOf(state).some((one) => one.transactionHash === previous);
        if (isNamed) return passedOver;
        // Without a salt, a memo that names nothing may be that of another proof of the same file.
        if (previous === null && !isSalted(memo.hashScheme))
          return state.status === 'pending' ? [] : null;
        const { isAnchored, failed } = await fateOfKnown(deps, state, sent);
        if (isAnchored || !state.queued) return null;
        passedOver.push({ proofId, failed });
      }
    }
    proofId = state.request.document?.previousProofId ?? null;
  }
  return previous === null ? passedOver : null;
}

/** Records anew that a revision was given up: its hash is free, and its unit is returned. */
export async function recordGivenUp(
  { store, meta }: { readonly store: EventStore; readonly meta: EventMeta },
  { proofId, failed }: PassedOver,
): Promise<void> {
  await handleStreams(
    store,
    () => proofEntries(store, proofId, (state) => proofDecider.recoverGivingUp(state, failed)),
    meta,
  );
}
