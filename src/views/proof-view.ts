import type { ProofRequest, VisibleProof } from '../domain/proof/state.ts';
import type { ProofData, ProofStatus } from './proof-schema.ts';
import { transactionUrls } from './transaction-urls.ts';
import { viewMetadata } from './view-metadata.ts';

/** Inputs of a proof's JSON besides its state. */
export interface ProofViewOptions {
  /** True to include the nonce; otherwise the member is null. */
  readonly withNonce: boolean;
  /** True if the transaction is, or will be, on the standalone ledger. */
  readonly standalone: boolean;
  readonly publicUrl: string;
}

/** The file of a proof as its document describes it, or else the request with the hash. */
export type ViewedFile = Pick<
  ProofRequest,
  'fileName' | 'fileSizeBytes' | 'mimeType' | 'description'
>;

/** ProofData: the answer to POST /proofs. */
export function viewProof(state: VisibleProof, options: ProofViewOptions): ProofData {
  const { request } = state;
  const hash = state.status === 'pending' ? null : state.prepared.transactionHash;
  const anchor = state.status === 'completed' ? state.anchor : null;
  const { network } = request;
  return {
    proofId: request.proofId,
    txHash: hash,
    ...transactionUrls({ ...options, network, hash }),
    certPath: `/api/v1/certificates/${request.proofId}`,
    ledger: network,
    standalone: options.standalone,
    ledgerIndex: anchor?.ledgerIndex ?? null,
    requestedAt: request.requestedAt,
    timestamp: anchor?.closeTimeIso ?? null,
    hashScheme: request.hashScheme,
    proofCommitment: request.commitment,
    proofNonce: options.withNonce ? request.nonce : null,
  };
}

/** ProofData with the status fields: the answer to GET /proofs/{proofId}. */
export function viewProofStatus(
  state: VisibleProof,
  options: ProofViewOptions & { readonly isAttested: boolean },
  { fileName, fileSizeBytes, mimeType, description }: ViewedFile,
): ProofStatus {
  const { fileHash, metadata } = state.request;
  return {
    ...viewProof(state, options),
    blockchainStatus: state.status,
    evidence: options.isAttested ? 'attested' : 'pending',
    fileName,
    fileHash,
    fileSize: fileSizeBytes,
    mimeType,
    description,
    metadata: viewMetadata({ description, metadata }),
  };
}

/** Ledger for which the proof's transaction is signed; null while there is no transaction. */
export function ledgerOf(state: VisibleProof): string | null {
  return state.status === 'pending' ? null : state.prepared.ledgerId;
}
