import type { WithReplaced } from '../ledger/transaction.ts';
import type { Anchored, AnchorPrepared, CertificateIssued, ProofRequested } from './events.ts';

export type ProofRequest = ProofRequested['data'] & { readonly requestedAt: string };
export type PreparedAnchor = AnchorPrepared['data'];
export type LedgerAnchor = Anchored['data'];
export type Certificate = CertificateIssued['data'];

/**
 * State of a proof. `queued`: the service settles it without the caller. `failures` counts the
 * attempts that ended without success.
 */
export type ProofState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'pending';
      readonly request: ProofRequest;
      readonly queued: boolean;
      readonly failures: number;
    }
  | ({
      readonly status: 'processing';
      readonly request: ProofRequest;
      readonly queued: boolean;
      readonly failures: number;
    } & WithReplaced<PreparedAnchor>)
  | {
      readonly status: 'completed';
      readonly request: ProofRequest;
      /** The transaction that is on the ledger. */
      readonly prepared: PreparedAnchor;
      readonly anchor: LedgerAnchor;
      /** The newest certificate; null until it is first requested. */
      readonly certificate: Certificate | null;
      /** Certificates that have a successor, the first one first. */
      readonly superseded: readonly Certificate[];
    }
  | {
      readonly status: 'withdrawn' | 'refused';
      readonly request: ProofRequest;
    };

export const unknownProof: ProofState = { status: 'unknown' };

export type CompletedProof = Extract<ProofState, { status: 'completed' }>;
export type CertifiedProof = CompletedProof & { readonly certificate: Certificate };

export function isCertified(state: ProofState): state is CertifiedProof {
  return state.status === 'completed' && state.certificate !== null;
}

/** All certificates of a proof, the first one first. Their numbers count from 1. */
export function certificatesOf({
  superseded,
  certificate,
}: CertifiedProof): readonly Certificate[] {
  return [...superseded, certificate];
}

/** Evidence that may be recorded after a certificate was issued without it. */
export type LateEvidence = Pick<Certificate, 'attestation' | 'timestamp'>;

/**
 * True if a certificate may be issued after those of the state. It is the first one, or has the
 * validators' signatures or the time-stamp token that the newest one lacks, and lacks neither that
 * the newest one has.
 */
export function mayIssue(
  { certificate }: Pick<CompletedProof, 'certificate'>,
  next: LateEvidence,
): boolean {
  if (certificate === null) return true;
  const gains = (part: keyof LateEvidence) => certificate[part] === null && next[part] !== null;
  const loses = (part: keyof LateEvidence) => certificate[part] !== null && next[part] === null;
  const parts = ['attestation', 'timestamp'] as const;
  return parts.some(gains) && !parts.some(loses);
}

/** The state after a certificate was issued. */
export function issued(proof: CompletedProof, certificate: Certificate): CertifiedProof {
  const { certificate: last, superseded } = proof;
  return { ...proof, certificate, superseded: last ? [...superseded, last] : superseded };
}

/** A proof that callers can see. Callers cannot see a proof that was rolled back or given up. */
export type VisibleProof = Extract<ProofState, { status: 'pending' | 'processing' | 'completed' }>;

export function isVisible(state: ProofState): state is VisibleProof {
  return (
    state.status === 'pending' || state.status === 'processing' || state.status === 'completed'
  );
}
