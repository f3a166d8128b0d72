import type { VisibleProof } from '../domain/proof/state.ts';
import { explorerUrl } from './explorer-url.ts';
import type { ProofData, ProofStatus } from './proof-schema.ts';

/** What a proof's JSON depends on besides its state. */
export interface ProofViewOptions {
  /** Whether the nonce is told. The member is there in any case, as null. */
  readonly withNonce: boolean;
  /** Whether the ledger of its transaction is the standalone one. */
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
 * ProofData with the status fields: the answer to GET /proofs/{proofId}. The file name is that of its
 * document if it has one by now, else what was said of the hash.
 */
export function viewProofStatus(
  state: VisibleProof,
  options: ProofViewOptions,
  fileName: string | null,
): ProofStatus {
  const { fileHash } = state.request;
  return { ...viewProof(state, options), blockchainStatus: state.status, fileName, fileHash };
}

/** The ledger that the proof's transaction is made for; null while there is none. */
export function ledgerOf(state: VisibleProof): string | null {
  return state.status === 'pending' ? null : state.prepared.ledgerId;
}
