import type { VisibleProof } from '../domain/proof/state.ts';
import { explorerUrl } from './explorer-url.ts';
import type { ProofData, ProofStatus } from './proof-schema.ts';

/** Inputs of a proof's JSON besides its state. */
export interface ProofViewOptions {
  /** True to include the nonce; otherwise the member is null. */
  readonly withNonce: boolean;
  /** True if the transaction is on the standalone ledger. */
  readonly standalone: boolean;
  readonly publicUrl: string;
}

/** ProofData: the answer to POST /proofs. */
export function viewProof(state: VisibleProof, options: ProofViewOptions): ProofData {
  const { request } = state;
  const hash = state.status === 'pending' ? null : state.prepared.transactionHash;
  const anchor = state.status === 'completed' ? state.anchor : null;
  const { network } = request;
  return {
    proofId: request.proofId,
    txHash: hash,
    verifyUrl: hash && explorerUrl({ ...options, network, hash }),
    certPath: `/api/v1/certificates/${request.proofId}`,
    ledger: network,
    ledgerIndex: anchor?.ledgerIndex ?? null,
    timestamp: anchor?.closeTimeIso ?? request.requestedAt,
    hashScheme: request.hashScheme,
    proofCommitment: request.commitment,
    proofNonce: options.withNonce ? request.nonce : null,
  };
}

/**
 * ProofData with the status fields: the answer to GET /proofs/{proofId}. `fileName` is the name of
 * the proof's document, or else the name given with the hash.
 */
export function viewProofStatus(
  state: VisibleProof,
  options: ProofViewOptions,
  fileName: string | null,
): ProofStatus {
  const { fileHash } = state.request;
  return { ...viewProof(state, options), blockchainStatus: state.status, fileName, fileHash };
}

/** Ledger for which the proof's transaction is signed; null while there is no transaction. */
export function ledgerOf(state: VisibleProof): string | null {
  return state.status === 'pending' ? null : state.prepared.ledgerId;
}
