import type { DocumentData } from '../../views/document-schema.ts';
import {
  completedProof,
  completedStatus,
  pendingStatus,
  workspace,
} from '../proofs/proof-examples.ts';

const file = {
  id: '01M7XT7V0Z6C4TQ2WZ8F5E9J3K',
  documentId: '01M7XT7V0Z6C4TQ2WZ8F5E9J3K',
  workspace,
  revision: 1,
  rootDocumentId: '01M7XT7V0Z6C4TQ2WZ8F5E9J3K',
  previousDocumentId: null,
  previousTxHash: null,
  agentClassification: null,
  uploadedAt: '2026-11-21T01:06:29.214Z',
};

/** Document as every reader sees it. */
export const document: DocumentData = { ...completedStatus, ...file };

/** Document as its uploader sees it. */
export const newDocument: DocumentData = { ...document, proofNonce: completedProof.proofNonce };

export const pendingDocument: DocumentData = { ...pendingStatus, ...file };

/** Second revision of the document. */
export const newRevision: DocumentData = {
  ...newDocument,
  proofId: '01M7XV2Q5RB4W5P8T9N6H2D7FA',
  txHash: 'A3C1F0E2B4D5968778695A4B3C2D1E0F0123456789ABCDEF0123456789ABCDEF',
  verifyUrl:
    'https://livenet.xrpl.org/transactions/A3C1F0E2B4D5968778695A4B3C2D1E0F0123456789ABCDEF0123456789ABCDEF',
  verifyPageUrl:
    'https://proofs.example.org/verify/A3C1F0E2B4D5968778695A4B3C2D1E0F0123456789ABCDEF0123456789ABCDEF',
  certPath: '/api/v1/certificates/01M7XV2Q5RB4W5P8T9N6H2D7FA',
  ledgerIndex: 99_123_987,
  requestedAt: '2026-11-21T01:40:58.731Z',
  timestamp: '2026-11-21T01:41:02.000Z',
  fileHash: '1f520afb819b86ff354820f13e684485f1fc9b2f9ad46da52ceaa8fdc06584b4',
  proofCommitment: 'cd7cc3d39888f26cc5306eff00c96a6877e154c9b53d74e831475fb8f76aff6f',
  proofNonce: '7c1d8f0e2b4a5968778695a4b3c2d1e0f0123456789abcdef0123456789abcde',
  id: '01M7XV2Q5Q0A9B8C7D6E5F4G3H',
  documentId: '01M7XV2Q5Q0A9B8C7D6E5F4G3H',
  fileSize: 11,
  revision: 2,
  previousDocumentId: document.documentId,
  previousTxHash: document.txHash,
  uploadedAt: '2026-11-21T01:40:58.731Z',
};
