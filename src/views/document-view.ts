import type { DocumentRecord } from '../../projections/documents/record.ts';
import type { DocumentData } from './document-schema.ts';
import { explorerUrl } from './explorer-url.ts';
import type { ViewDeps } from './view-deps.ts';

/**
 * A document, or a hash-only proof, as callers see it. `nonce` is null for callers who may not see
 * it.
 */
export async function viewDocument(
  { ledgers, publicUrl }: Pick<ViewDeps, 'ledgers' | 'publicUrl'>,
  record: DocumentRecord,
  nonce: string | null = null,
): Promise<DocumentData> {
  const { network, document, transactionHash: hash, ledgerId } = record;
  const standalone = ledgerId !== null && (await ledgers.isStandalone(ledgerId));
  const verifyUrl = hash && explorerUrl({ network, standalone, hash, publicUrl: publicUrl() });
  return {
    proofId: record.proofId,
    txHash: hash,
    verifyUrl,
    certPath: `/api/v1/certificates/${record.proofId}`,
    ledger: network,
    ledgerIndex: record.ledgerIndex,
    timestamp: record.closedAt ?? record.requestedAt,
    hashScheme: record.hashScheme,
    proofCommitment: record.commitment,
    proofNonce: nonce,
    blockchainStatus: record.blockchainStatus,
    fileName: record.fileName,
    fileHash: record.fileHash,
    documentId: document?.documentId ?? null,
    fileSize: record.fileSizeBytes,
    mimeType: record.mimeType,
    description: record.description,
    workspace: record.workspaceId,
    revision: document?.revision ?? null,
    rootDocumentId: document?.rootDocumentId ?? null,
    previousDocumentId: document?.previousDocumentId ?? null,
    previousTxHash: document?.previousTransactionHash ?? null,
    agentClassification: document?.classification ?? null,
    uploadedAt: document?.uploadedAt ?? null,
  };
}
