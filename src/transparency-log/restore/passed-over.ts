import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import { type FailedTransaction, proofDecider } from '../../domain/proof/decider.ts';
import { isSalted } from '../../domain/proof/hash-scheme.ts';
import type { ProofMemo } from '../../domain/proof/memo.ts';
import type { ProofRequest, ProofState } from '../../domain/proof/state.ts';
import { streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { load } from '../../event-store/handling/load.ts';
import { type FateGateway, fateOfKnown, signaturesOf } from './fate-of-known.ts';

/** An open revision that had been given up: the log has lost that event. */
export interface PassedOver {
  readonly proofId: ProofId;
  /** Its known transaction, if that failed on the ledger. */
  readonly failed: FailedTransaction | null;
}

interface Deps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly gateway: FateGateway;
  readonly ledgerId: string;
}

type OpenState = Extract<ProofState, { status: 'pending' | 'processing' }>;

/**
 * Compares the memo of a transaction on the ledger with the revisions before a proof. Resolves with
 * the open ones that the memo passes over: it names the nearest earlier revision that was not given
 * up, so these had been given up when it was signed. Resolves with null if it can be no memo of this
 * proof.
 *
 * Without a salt, transaction and proof may only have the same file, and nothing follows for the
 * revisions before. The log may know the signatures of an earlier revision, and have lost which of
 * them is on the ledger: the memo may name each one. `sent` is the transaction of the memo. Rejects if
 * the servers' history is too short.
 */
export async function revisionsPassedOver(
  deps: Deps,
  request: ProofRequest,
  memo: ProofMemo,
  sent: Pick<SignedTransaction, 'account' | 'sequence'>,
): Promise<readonly PassedOver[] | null> {
  const open = await openBefore(deps, request, memo.previous ?? null);
  if (open === null) return null;
  const passedOver: PassedOver[] = [];
  for (const state of open) {
    const { isAnchored, failed } = await fateOfKnown(deps, state, sent);
    if (isAnchored) return null;
    passedOver.push({ proofId: state.request.proofId, failed });
  }
  return passedOver;
}

/** The open revisions between the proof and the transaction named; null if it names another one. */
async function openBefore(
  { store, ledgerId }: Deps,
  { hashScheme, document }: ProofRequest,
  previous: string | null,
): Promise<readonly OpenState[] | null> {
  const open: OpenState[] = [];
  let proofId = document?.previousProofId ?? null;
  while (proofId !== null) {
    const { state } = await load(store, streams.proof(proofId), proofDecider);
    switch (state.status) {
      case 'unknown':
        return previous === null ? open : null;
      case 'completed': {
        const isSure = open.length === 0 || isSalted(state.request.hashScheme);
        return isSure && previous === state.anchor.transactionHash ? open : null;
      }
      case 'pending':
      case 'processing': {
        const signed = signaturesOf(state);
        if (signed.some(({ transactionHash }) => transactionHash === previous)) return open;
        // Its fate can be looked up only on this ledger.
        const isElsewhere = signed.some((one) => one.ledgerId !== ledgerId);
        const areSalted = isSalted(hashScheme) && isSalted(state.request.hashScheme);
        if (!areSalted || isElsewhere || !state.queued)
          return previous === null && open.length === 0 && state.status === 'pending' ? [] : null;
        open.push(state);
      }
    }
    proofId = state.request.document?.previousProofId ?? null;
  }
  return previous === null ? open : null;
}
