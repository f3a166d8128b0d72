import { z } from 'zod';
import { type CertifiedProof, certificatesOf } from '../domain/proof/state.ts';
import type { ProofId } from '../domain/ulid.ts';
import { evidence } from './evidence.ts';
import { count, lowerHex, time } from './output-fields.ts';

const number = z.int().min(1);

/** A certificate of a proof, as lists show it. */
export const certificateData = z
  .object({
    number: number.meta({ description: 'counts the certificates of the proof from 1' }),
    issuedAt: time,
    evidence: evidence.meta({
      description:
        "attested: its bundle contains signatures of the ledger's validators, so it can be verified " +
        'without a server; pending: it was issued without them, and gets a successor once they are on ' +
        'record',
    }),
    successor: number.nullable().meta({
      description:
        'the number of the certificate that was issued after it; null for the newest one',
    }),
    sizeBytes: count.meta({ description: 'the size of the PDF' }),
    pdfHash: lowerHex.meta({ description: 'the SHA-256 of the PDF' }),
    bundleHash: lowerHex.meta({ description: 'the SHA-256 of its proof bundle' }),
    certPath: z.string().meta({ description: 'relative path of the PDF' }),
    bundlePath: z.string().meta({ description: 'relative path of its proof bundle' }),
  })
  .meta({ id: 'Certificate', description: 'A certificate of a proof. It never changes.' });

export type CertificateData = z.infer<typeof certificateData>;

/** All certificates of a proof, the first one first. */
export function viewCertificates(proof: CertifiedProof): readonly CertificateData[] {
  const { proofId } = proof.request;
  const all = certificatesOf(proof);
  return all.map((certificate, index) => ({
    number: index + 1,
    issuedAt: certificate.issuedAt,
    evidence: certificate.attestation === null ? 'pending' : 'attested',
    successor: index + 1 < all.length ? index + 2 : null,
    sizeBytes: certificate.sizeBytes,
    pdfHash: certificate.pdfDigest,
    bundleHash: certificate.bundleDigest,
    certPath: certificatePath(proofId, index + 1),
    bundlePath: bundlePath(proofId, index + 1),
  }));
}

/** Relative path of the certificate with this number. */
export function certificatePath(proofId: ProofId, number: number): string {
  return `/api/v1/certificates/${proofId}?number=${number}`;
}

/** Relative path of the bundle of a certificate; `share`: in the form for sharing. */
export function bundlePath(proofId: ProofId, number: number, share = false): string {
  return `/api/v1/proofs/${proofId}/bundle?number=${number}${share ? '&share=true' : ''}`;
}
