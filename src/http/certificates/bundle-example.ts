import { inclusion } from '../log/inclusion-example.ts';
import { completedProof, exampleTransactionHash, fileHash } from '../proofs/proof-examples.ts';

/** Example of the shape of a bundle. The binary parts are truncated, so it does not verify. */
export const exampleBundle = {
  format: 'proofmark/bundle',
  version: 6,
  certificate: {
    templateVersion: 1,
    proofId: completedProof.proofId,
    issuedAt: '2026-11-21T01:10:00.000Z',
    organisationName: 'Example Ltd',
    workspaceName: 'Archive',
  },
  file: {
    fileName: 'proofmark.txt',
    fileSizeBytes: 10,
    mimeType: 'text/plain',
    fileHash,
  },
  commitment: {
    hashScheme: completedProof.hashScheme,
    commitment: completedProof.proofCommitment,
    nonce: completedProof.proofNonce,
  },
  revision: { number: 1, previousTransactionHash: null },
  anchor: {
    network: 'mainnet',
    standalone: false,
    account: 'rLUEXYuLiQptky37CqLcm9USQpPiz5rkpD',
    transactionHash: exampleTransactionHash,
    ledgerIndex: completedProof.ledgerIndex,
    ledgerHash: 'F3C0E1D2B4A5968778695A4B3C2D1E0F0123456789ABCDEF0123456789ABCDEF',
    transactionIndex: 12,
    closeTime: 848_538_391,
    closeTimeIso: completedProof.timestamp,
  },
  evidence: {
    memo: {
      type: 'proofmark/proof',
      format: 'application/json',
      data: `{"fileHash":"${completedProof.proofCommitment}","hashScheme":"${completedProof.hashScheme}"}`,
    },
    blob: '120003',
    metadata: '201C0000000C',
    ledgerHeader: '05E87C00',
  },
  addresses: {
    verifyUrl: completedProof.verifyUrl,
    verifyPageUrl: completedProof.verifyPageUrl,
    publicApiUrl: `https://proofs.example.org/api/public/verify/${exampleTransactionHash}`,
  },
  log: {
    event: inclusion.event,
    ledgerId: 'mainnet',
    leafIndex: inclusion.leafIndex,
    hashes: inclusion.hashes,
    checkpoint: inclusion.checkpoint,
  },
  attestation: {
    path: 'gAD8',
    chain: '',
    validations: ['IoAAAAE='],
    manifests: [],
    validatorList: { manifest: 'JAAAAAE=', blob: 'eyJzZXF1ZW5jZSI6ODB9', signature: '3045' },
  },
  timestamp: {
    checkpointText: inclusion.checkpoint.slice(0, inclusion.checkpoint.indexOf('\n\n') + 1),
    hashes: inclusion.hashes,
    token: 'MIIE9QYJKoZIhvcNAQcCoIIE5jCCBOICAQMxDTALBglghkgBZQMEAgE=',
  },
  issuer: {
    note:
      'proofmark/bundle\n96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7\n\n' +
      '— proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y/issuer XToPHmC2zPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n',
  },
  checksum: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
};
