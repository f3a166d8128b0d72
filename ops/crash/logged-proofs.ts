import type { EventStore } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';

/** What the event log says of one proof. Times are Unix milliseconds. */
export interface LoggedProof {
  readonly proofId: string;
  readonly fileHash: string;
  /** What its transaction's memo must say. */
  readonly commitment: string;
  readonly requestedAt: number;
  /** Hashes of all transactions that were ever signed for it. */
  readonly prepared: readonly string[];
  readonly anchored: readonly { readonly txHash: string; readonly ledgerIndex: number }[];
  readonly withdrawnAt: number | null;
}

type Mutable = { -readonly [Field in keyof LoggedProof]: LoggedProof[Field] };

const pageSize = 1_000;

/** Reads the whole log, and that its positions have no gap. */
export async function readLoggedProofs(store: EventStore): Promise<readonly LoggedProof[]> {
  const proofs = new Map<string, Mutable>();
  let after = 0;
  for (;;) {
    const events = await store.readLog(after, pageSize);
    for (const event of events) {
      after += 1;
      if (event.position !== after) throw new Error(`the log has no event ${after}`);
      fold(proofs, event);
    }
    if (events.length === 0) return [...proofs.values()];
  }
}

function fold(proofs: Map<string, Mutable>, event: StoredEvent): void {
  const at = Date.parse(event.recordedAt);
  if (event.type === 'ProofRequested') {
    const { proofId, fileHash, commitment } = event.data;
    proofs.set(event.stream, {
      proofId,
      fileHash,
      commitment: commitment ?? fileHash,
      requestedAt: at,
      prepared: [],
      anchored: [],
      withdrawnAt: null,
    });
    return;
  }
  const proof = proofs.get(event.stream);
  if (proof === undefined) return;
  if (event.type === 'AnchorPrepared') {
    proof.prepared = [...proof.prepared, event.data.transactionHash];
  } else if (event.type === 'Anchored') {
    const { transactionHash: txHash, ledgerIndex } = event.data;
    proof.anchored = [...proof.anchored, { txHash, ledgerIndex }];
  } else if (event.type === 'ProofWithdrawn') {
    proof.withdrawnAt = at;
  }
}

export function isSettled(proof: LoggedProof): boolean {
  return proof.anchored.length > 0 || proof.withdrawnAt !== null;
}
