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
      /** Null until the certificate is first requested. */
      readonly certificate: Certificate | null;
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

/** A proof that callers can see. Callers cannot see a proof that was rolled back or given up. */
export type VisibleProof = Extract<ProofState, { status: 'pending' | 'processing' | 'completed' }>;

export function isVisible(state: ProofState): state is VisibleProof {
  return (
    state.status === 'pending' || state.status === 'processing' || state.status === 'completed'
  );
}
