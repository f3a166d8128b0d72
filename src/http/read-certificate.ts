import { Readable } from 'node:stream';
import { BlobLost } from '../domain/blob/blob-lost.ts';
import { digestOf } from '../domain/proof/digest-of.ts';
import type { CertifiedProof } from '../domain/proof/state.ts';
import { loggable } from './request-log.ts';
import type { RouteDeps } from './route-deps.ts';

type Deps = Pick<RouteDeps, 'storage' | 'certificates' | 'turns' | 'fileWork' | 'log'>;

/** What was issued cannot be made again, byte for byte, by this version of the program. */
export class CertificateDiffers extends Error {
  constructor({ request }: CertifiedProof, what: 'PDF' | 'bundle') {
    super(`the ${what} of ${request.proofId} does not come out as it was issued: it is not served`);
    this.name = 'CertificateDiffers';
  }
}

/**
 * The PDF, byte for byte as it was issued. One that was lost or damaged is made again from what was
 * fixed then, stored again and served; throws `CertificateDiffers` rather than serve other bytes.
 */
export async function readCertificate(deps: Deps, proof: CertifiedProof): Promise<Uint8Array> {
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

/** The bundle that is attached to it. Throws `CertificateDiffers` rather than give another. */
export function readBundle({ certificates }: Pick<Deps, 'certificates'>, proof: CertifiedProof) {
  const bundle = certificates.bundle(proof, proof.certificate);
  if (digestOf(bundle) === proof.certificate.bundleDigest) return bundle;
  throw new CertificateDiffers(proof, 'bundle');
}

/** All of it, before the first byte is sent: it is small, and nothing of a damaged one gets out. */
async function readStored(
  { storage }: Pick<Deps, 'storage'>,
  { certificate: { blobKey, sizeBytes, pdfDigest: sha256 } }: CertifiedProof,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await storage.open(blobKey, { sizeBytes, sha256 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function restore(deps: Deps, proof: CertifiedProof): Promise<Uint8Array> {
  const loss = await lossOf(deps, proof);
  if (loss instanceof Uint8Array) return loss;
  const { storage, certificates, log } = deps;
  const { certificate, request } = proof;
  const pdf = await certificates.pdf(proof, certificate, readBundle(deps, proof));
  if (digestOf(pdf) !== certificate.pdfDigest) throw new CertificateDiffers(proof, 'PDF');
  const { proofId } = request;
  log.warn({ proofId, err: loggable(loss) }, 'a certificate was lost: it is made again');
  try {
    await storage.put(certificate.blobKey, await storage.stage(Readable.from([pdf])));
  } catch (error) {
    log.warn({ proofId, err: loggable(error) }, 'a certificate could not be stored again');
  }
  return pdf;
}

/** What is wrong with the stored one; or itself, where another call has restored it meanwhile. */
async function lossOf(deps: Deps, proof: CertifiedProof): Promise<Uint8Array | BlobLost> {
  try {
    return await readStored(deps, proof);
  } catch (error) {
    if (error instanceof BlobLost) return error;
    throw error;
  }
}
