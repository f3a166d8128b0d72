import type { OrganisationId, ProofId } from '../ulid.ts';

/** A proof whose newest certificate lacks evidence that is on record. */
export interface DueProof {
  readonly proofId: ProofId;
  readonly organisationId: OrganisationId;
  /** True if the certificate lacks signatures of validators that are on record. */
  readonly lacksSignatures: boolean;
}

/**
 * Longest time, in hours, for which a certificate that lacks both signatures and time-stamp token
 * waits for the second, so that one successor has both.
 */
export const secondEvidenceWaitHours = 2;
