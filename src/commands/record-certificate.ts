import { Readable } from 'node:stream';
import type { CertificateMaker, RecordedEvidence } from '../certificates/contract.ts';
import { type BlobKey, blobKey } from '../domain/blob/blob-key.ts';
import { BlobTooOld, checkNameable } from '../domain/blob/orphan.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import type { CertificateInputs, IssuerSignature } from '../domain/proof/certificate-inputs.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { digestOf } from '../domain/proof/digest-of.ts';
import { requireAnchored } from '../domain/proof/require-anchored.ts';
import {
  type Certificate,
  type CertifiedProof,
  type CompletedProof,
  isCertified,
  issued,
  type ProofState,
} from '../domain/proof/state.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { VersionConflict } from '../event-store/version-conflict.ts';
import type { IssuerKeys, SigningKey } from '../issuer/contract.ts';
import { proofEntries } from '../loading/proof-entries.ts';
import type { BlobStorage } from '../storage/contract.ts';

export interface RecordingDeps {
  readonly store: EventStore;
  readonly storage: BlobStorage;
  readonly certificates: CertificateMaker;
  /** Signs every new bundle. */
  readonly issuer: IssuerKeys;
  readonly newId: () => string;
  readonly now: () => Date;
  /** Called if an unnamed PDF could not be deleted at once; the sweep will delete it. */
  readonly onLeftover: (trouble: unknown) => void;
}

/** Inputs of a certificate whose bundle the issuer has not signed yet. */
export type UnsignedInputs = Omit<CertificateInputs, keyof IssuerSignature>;

/**
 * Signs the bundle and then the PDF that has it attached. Does so again with a later key if the
 * issuer's key is replaced before the certificate is recorded.
 */
export async function signAndRecord(
  deps: RecordingDeps,
  proof: CompletedProof,
  { inputs, recorded }: { readonly inputs: UnsignedInputs; readonly recorded: RecordedEvidence },
  meta: EventMeta,
): Promise<CertifiedProof> {
  for (;;) {
    const key = await deps.issuer.current();
    const text = deps.certificates.statement(proof, inputs, recorded);
    const issuerSignature = key.sign(text).toString('base64');
    const signed = { ...inputs, issuerKey: key.key, issuerSignature };
    const certificate = await keepPdf(deps, proof, signed, recorded);
    try {
      return await recordCertificate(deps, proof, certificate, key, meta);
    } catch (error) {
      if (!(error instanceof KeyReplaced)) throw error;
    }
  }
}

async function keepPdf(
  { storage, certificates, newId }: Pick<RecordingDeps, 'storage' | 'certificates' | 'newId'>,
  proof: CompletedProof,
  inputs: CertificateInputs,
  recorded: RecordedEvidence,
): Promise<Certificate> {
  const bundle = certificates.bundle(proof, inputs, recorded);
  const { pdf, signature: pdfSignature } = await certificates.newPdf(proof, inputs, bundle);
  const { organisationId } = proof.request;
  const key = blobKey(organisationId, newId());
  await storage.put(key, await storage.stage(organisationId, Readable.from([pdf])));
  return {
    ...inputs,
    blobKey: key,
    sizeBytes: pdf.length,
    pdfDigest: digestOf(pdf),
    bundleDigest: digestOf(bundle),
    pdfSignature,
  };
}

async function recordCertificate(
  deps: RecordingDeps,
  { request: { proofId } }: CompletedProof,
  certificate: Certificate,
  signedWith: SigningKey,
  meta: EventMeta,
): Promise<CertifiedProof> {
  const { store, now } = deps;
  const { blobKey: key } = certificate;
  const command = (state: ProofState) => {
    checkNameable(key, now());
    return proofDecider.certify(state, certificate);
  };
  const decide = () => proofEntries(store, proofId, command);
  const { state, events } = await handleStreams(
    whileCurrent(store, signedWith),
    decide,
    meta,
  ).catch(async (error: unknown) => {
    const isUnnamed =
      error instanceof BlobTooOld ||
      error instanceof OrganisationShut ||
      error instanceof KeyReplaced;
    if (isUnnamed) await drop(deps, key);
    throw error;
  });
  requireAnchored(state);
  if (events.length > 0) return issued(state, certificate);
  if (!isCertified(state)) throw new Error(`${proofId} has no certificate, nor may it have one`);
  if (state.certificate.blobKey !== key) await drop(deps, key);
  return state;
}

/** The issuer's key was replaced after it had signed. Nothing was appended. */
class KeyReplaced extends Error {
  constructor({ stream, version }: SigningKey) {
    super(`${stream} is not at ${version} any more`);
    this.name = 'KeyReplaced';
  }
}

/** A store whose appends depend on the issuer's key, and reject with `KeyReplaced`. */
function whileCurrent(store: EventStore, key: SigningKey): Pick<EventStore, 'append'> {
  const { stream, version } = key;
  const unchanged = { organisationId: null, stream, expectedVersion: version, events: [] };
  return {
    append: async (entries, meta) =>
      store.append([...entries, unchanged], meta).catch((error: unknown) => {
        const isReplaced =
          error instanceof VersionConflict &&
          error.conflicts.some((conflict) => conflict.stream === stream);
        throw isReplaced ? new KeyReplaced(key) : error;
      }),
  };
}

async function drop({ storage, onLeftover }: RecordingDeps, key: BlobKey): Promise<void> {
  await storage.delete(key).catch(onLeftover);
}
