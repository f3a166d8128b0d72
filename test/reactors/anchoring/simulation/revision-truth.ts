import { readProofMemo } from '../../../../src/domain/proof/memo.ts';
import type { PreparedAnchor } from '../../../../src/domain/proof/state.ts';
import type { StoredEvent } from '../../../../src/event-store/stored-event.ts';
import { readTransaction } from '../../../../src/ledger/anchor-transaction.ts';

interface Known {
  readonly previousProofId: string | null;
  anchored: string | null;
  gone: boolean;
}

/** Knows at every moment which transaction the memo of a revision must name. */
export class RevisionTruth {
  readonly #proofs = new Map<string, Known>();

  /** The violation by an event, or null. */
  appended(event: StoredEvent): string | null {
    const proof = this.#proofs.get(event.stream);
    switch (event.type) {
      case 'ProofRequested': {
        const previousProofId = event.data.document?.previousProofId ?? null;
        this.#proofs.set(event.stream, { previousProofId, anchored: null, gone: false });
        return null;
      }
      case 'Anchored':
        if (proof) proof.anchored = event.data.transactionHash;
        return null;
      case 'AnchorRefused':
      case 'ProofWithdrawn':
        if (proof) proof.gone = true;
        return null;
      case 'AnchorPrepared':
        return this.#check(event.stream, event.data);
      default:
        return null;
    }
  }

  #check(stream: string, prepared: PreparedAnchor): string | null {
    const must = this.#mustName(stream);
    if (must === undefined) return `${stream} is signed before the revision before it is anchored`;
    const { memo } = readProofMemo(readTransaction(prepared.blob).memos);
    const named = [memo?.previous ?? null, prepared.previousTransactionHash];
    const isTrue = named.every((name) => name === must);
    return isTrue ? null : `${stream} names ${named.join(' and ')} where ${must} is to be named`;
  }

  /** Undefined while the previous revision is unsettled. */
  #mustName(stream: string): string | null | undefined {
    const { previousProofId } = this.#proofs.get(stream) ?? { previousProofId: null };
    if (previousProofId === null) return null;
    const before = `proof-${previousProofId}`;
    const previous = this.#proofs.get(before);
    if (previous?.anchored) return previous.anchored;
    return previous?.gone ? this.#mustName(before) : undefined;
  }
}
