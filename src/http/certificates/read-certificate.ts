import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { IssuingDeps } from '../../commands/issue-certificate.ts';
import { BlobLost } from '../../domain/blob/blob-lost.ts';
import { digestOf } from '../../domain/proof/digest-of.ts';
import type { CertifiedProof } from '../../domain/proof/state.ts';
import { loggable } from '../../errors/loggable.ts';
import { loadRecordedAttestation } from '../../loading/load-recorded-attestation.ts';
import { loadTimestamp } from '../../loading/load-timestamp.ts';

/** Dependencies of reading an issued certificate. */
export interface CertificateReadDeps
  extends Pick<IssuingDeps, 'store' | 'storage' | 'certificates' | 'turns' | 'fileWork'> {
  readonly log: Logger;
}

/** This version of the program cannot reproduce the issued certificate or bundle byte for byte. */
class CertificateDiffers extends Error {
  constructor({ request }: CertifiedProof, what: 'PDF' | 'bundle') {
    super(
      `the rendered ${what} of proof ${request.proofId} differs from the issued one, so it is not served`,
    );
    this.name = 'CertificateDiffers';
  }
}

/**
 * Returns the PDF, byte for byte as issued. A lost or damaged PDF is rebuilt from the data fixed at
 * issue, stored again and served. Throws `CertificateDiffers` if the rebuilt bytes differ.
 */
export async function readCertificate(
  deps: CertificateReadDeps,
  proof: CertifiedProof,
): Promise<Uint8Array> {
  try {
    return await readStored(deps, proof);
  } catch (error) {
    if (!(error instanceof BlobLost)) throw error;
    const { proofId, organisationId } = proof.request;
    return deps.turns.take(`certificate ${proofId}`, () =>
      deps.fileWork.during(organisationId, () => restore(deps, proof)),
    );
  }
}

/**
 * Returns the bundle attached to the certificate. Throws `CertificateDiffers` if the rebuilt bundle
 * differs from the issued one. `onHeaders` is called with the number of ledger headers in the bundle
 * before they are read. If it rejects, they are not read.
 */
export async function readCertifiedBundle(
  { store, certificates }: Pick<CertificateReadDeps, 'store' | 'certificates'>,
  proof: CertifiedProof,
  onHeaders?: (count: number) => Promise<void>,
): Promise<Uint8Array> {
  const { certificate } = proof;
  const { attestation, timestamp } = certificate;
  const recorded = {
    attestation: attestation && (await loadRecordedAttestation(store, proof, onHeaders)),
    timestamp: await loadTimestamp(store, timestamp),
  };
  const bundle = certificates.bundle(proof, certificate, recorded);
  if (digestOf(bundle) === proof.certificate.bundleDigest) return bundle;
  throw new CertificateDiffers(proof, 'bundle');
}

/**
 * Reads the whole PDF before the first byte is sent, so that no part of a damaged one is served.
 * The PDF is small.
 */
async function readStored(
  { storage }: Pick<CertificateReadDeps, 'storage'>,
  { certificate: { blobKey, sizeBytes, pdfDigest: sha256 } }: CertifiedProof,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await storage.open(blobKey, { sizeBytes, sha256 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function restore(deps: CertificateReadDeps, proof: CertifiedProof): Promise<Uint8Array> {
  const loss = await lossOf(deps, proof);
  if (loss instanceof Uint8Array) return loss;
  const { storage, certificates, log } = deps;
  const { certificate, request } = proof;
  const bundle = await readCertifiedBundle(deps, proof);
  const pdf = await certificates.pdf(proof, certificate, bundle, certificate.pdfSignature);
  if (digestOf(pdf) !== certificate.pdfDigest) throw new CertificateDiffers(proof, 'PDF');
  const { proofId, organisationId } = request;
  log.warn(
    { proofId, err: loggable(loss) },
    'stored certificate is missing or damaged; rendering it again',
  );
  try {
    const staged = await storage.stage(organisationId, Readable.from([pdf]));
    await storage.put(certificate.blobKey, staged);
  } catch (error) {
    log.warn(
      { proofId, err: loggable(error) },
      'certificate could not be stored; it is rendered again at the next download',
    );
  }
  return pdf;
}

/** Error of the stored PDF, or its bytes if another call has restored it in the meantime. */
async function lossOf(
  deps: CertificateReadDeps,
  proof: CertifiedProof,
): Promise<Uint8Array | BlobLost> {
  try {
    return await readStored(deps, proof);
  } catch (error) {
    if (error instanceof BlobLost) return error;
    throw error;
  }
}
