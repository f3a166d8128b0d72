import type { ProofId } from '../../domain/ulid.ts';
import { bundlePath, type CertificateData, certificatePath } from '../../views/certificate-view.ts';
import { completedProof } from '../proofs/proof-examples.ts';

const proofId = completedProof.proofId as ProofId;

export const firstCertificate: CertificateData = {
  number: 1,
  issuedAt: '2026-11-21T01:06:36.500Z',
  evidence: 'pending',
  successor: 2,
  sizeBytes: 61_120,
  pdfHash: '1b4f0e9851971998e732078544c96b36c3d01cedf7caa332359d6f1d83567014',
  bundleHash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  certPath: certificatePath(proofId, 1),
  bundlePath: bundlePath(proofId, 1),
};

export const successorCertificate: CertificateData = {
  number: 2,
  issuedAt: '2026-11-21T01:06:42.031Z',
  evidence: 'attested',
  successor: null,
  sizeBytes: 80_411,
  pdfHash: 'fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13',
  bundleHash: 'a4e624d686e03ed2767c0abd85c14426b0b1157d2ce81d27bb4fe4f6f01d688a',
  certPath: certificatePath(proofId, 2),
  bundlePath: bundlePath(proofId, 2),
};
