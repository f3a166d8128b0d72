import { createHash } from 'node:crypto';
import type { CertificateContent } from '../../src/certificates/certificate-content.ts';
import { noEvidence } from '../../src/certificates/evidence-summary.ts';
import { commit } from '../../src/domain/proof/commit.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { currentTemplate } from '../../src/domain/proof/template-version.ts';

/** The file that the tests' certificate certifies. */
export const certifiedFile = Buffer.from('The supply agreement of 2026, in its final form.\n');

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const transactionHash = sha256('a transaction').toUpperCase();
const nonce = sha256('a nonce');
const fileHash = sha256(certifiedFile);

/** Content of an issued certificate, with the test's changes. */
export function certificateContent(changes: Partial<CertificateContent> = {}): CertificateContent {
  return {
    templateVersion: currentTemplate,
    proofId: '01JZ8Q4C6K3W5T7R9X2B4D6F8H',
    issuedAt: '2026-11-21T05:00:00.000Z',
    fileName: 'Supply agreement 2026 – final.pdf',
    fileSizeBytes: 1_240_113,
    mimeType: 'application/pdf',
    ...{ description: null, classification: null },
    fileHash,
    hashScheme: 'hmac-sha256-nonce-v3',
    commitment: commit(nonce, fileHash as Digest),
    nonce,
    network: 'mainnet',
    standalone: false,
    transactionHash,
    ledgerIndex: 94_512_345,
    ledgerHash: sha256('a ledger').toUpperCase(),
    closeTimeIso: '2026-11-21T04:40:50.000Z',
    account: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    organisationName: 'Nordlicht Engineering GmbH',
    workspaceName: 'Contracts',
    revision: 1,
    previousTransactionHash: null,
    verifyUrl: `https://livenet.xrpl.org/transactions/${transactionHash}`,
    verifyPageUrl: `https://proofmark.example/verify/${transactionHash}`,
    publicApiUrl: `https://proofmark.example/api/public/verify/${transactionHash}`,
    explorerUrl: `https://livenet.xrpl.org/transactions/${transactionHash}`,
    verifier: { url: 'https://proofmark.example/verify.py', sha256: sha256('verifier') as Digest },
    evidence: {
      log: {
        origin: 'proofmark.example/01M7XT7TX5VQ3R4S5T6V7W8X9Y',
        leafIndex: 4_710,
        size: 4_712,
        root: createHash('sha256').update('a root').digest('base64'),
      },
      validators: null,
      stampedAt: null,
      issuerKey: 'proofmark.example/01M7XT7TX5VQ3R4S5T6V7W8X9Y/issuer+0b14f719',
    },
    ...changes,
  };
}

/** A revision on the test network: the ordinary certificate with the most fields. */
export const fullestContent = certificateContent({
  network: 'testnet',
  description: 'Final form, with the annexes A to C. Replaces the draft of October.',
  classification: '{"runId":"run-2026-11","kind":"contract"}',
  evidence: {
    ...certificateContent().evidence,
    ...{ validators: 28, stampedAt: '2026-11-21T04:59:59.500Z' },
  },
  revision: 3,
  previousTransactionHash: sha256('the transaction before').toUpperCase(),
  verifyUrl: `https://testnet.xrpl.org/transactions/${transactionHash}`,
  explorerUrl: `https://testnet.xrpl.org/transactions/${transactionHash}`,
});

/** A certificate with the fewest fields: a hash alone, on a standalone ledger. */
export const barestContent = certificateContent({
  fileName: null,
  fileSizeBytes: null,
  mimeType: null,
  hashScheme: 'sha256-plain-v1',
  commitment: null,
  nonce: null,
  network: 'testnet',
  standalone: true,
  revision: null,
  evidence: noEvidence,
});

/** Attachment as large as a real one. */
export const certificateBundle = Buffer.from(
  JSON.stringify({ schema: 1, header: Array.from({ length: 100 }, (_, n) => sha256(`${n}`)) }),
);
