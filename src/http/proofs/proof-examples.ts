import type { ProofData, ProofStatus } from '../../views/proof-schema.ts';

/** The file of all examples holds the ten bytes of `Proofmark` and a line feed. */
export const fileHash = '568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5';
/** A file with other bytes. */
export const otherFileHash = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
export const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';
export const exampleTransactionHash =
  '5411333BAAB2CDF1652665E8425611B1CD0E7454189F757A7F297F9DAA17A850';

export const completedProof: ProofData = {
  proofId: '01M7XT7V10RJ1CFD26ZBSKQXP6',
  txHash: exampleTransactionHash,
  verifyUrl: `https://livenet.xrpl.org/transactions/${exampleTransactionHash}`,
  verifyPageUrl: `https://proofs.example.org/verify/${exampleTransactionHash}`,
  certPath: '/api/v1/certificates/01M7XT7V10RJ1CFD26ZBSKQXP6',
  ledger: 'mainnet',
  standalone: false,
  ledgerIndex: 99_123_456,
  requestedAt: '2026-11-21T01:06:29.214Z',
  timestamp: '2026-11-21T01:06:31.000Z',
  hashScheme: 'hmac-sha256-nonce-v3',
  proofCommitment: '52f1e41317fe6e4457d98ea624bcee5341486fd63261ed7f75519e3ec1b42d4d',
  proofNonce: 'c76f203929282ee9ffaa1b9896aa1e30e80709078aafaa3859dda53ce27ecabe',
};

/** Proof as callers other than its creator see it. */
export const knownProof: ProofData = { ...completedProof, proofNonce: null };

/** The file of all examples as the caller described it. */
const describedFile = {
  fileName: 'proofmark.txt',
  fileHash,
  fileSize: 10,
  mimeType: 'text/plain',
  description: 'the first page',
  metadata: { description: 'the first page', caseNumber: '2026-114' },
};

export const completedStatus: ProofStatus = {
  ...knownProof,
  blockchainStatus: 'completed',
  evidence: 'attested',
  ...describedFile,
};

export const pendingStatus: ProofStatus = {
  ...completedProof,
  txHash: null,
  verifyUrl: null,
  verifyPageUrl: null,
  ledgerIndex: null,
  timestamp: null,
  blockchainStatus: 'pending',
  evidence: 'pending',
  ...describedFile,
};
