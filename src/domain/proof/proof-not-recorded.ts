import { Refusal } from '../refusal.ts';
import type { DocumentId, ProofId } from '../ulid.ts';

/** The caller's wait is over, and the proof stays queued. `documentId` is null for a hash alone. */
export class ProofNotRecorded extends Refusal {
  readonly proofId: ProofId;
  readonly documentId: DocumentId | null;

  constructor(
    message: string,
    of: { readonly proofId: ProofId; readonly documentId: DocumentId | null },
  ) {
    super('PROOF_NOT_RECORDED', message);
    this.name = 'ProofNotRecorded';
    this.proofId = of.proofId;
    this.documentId = of.documentId;
  }
}
