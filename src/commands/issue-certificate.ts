import { Readable } from 'node:stream';
import type { CertificateMaker } from '../certificates/contract.ts';
import { type BlobKey, blobKey } from '../domain/blob/blob-key.ts';
import { BlobTooOld, checkNameable } from '../domain/blob/orphan.ts';
import type { Network } from '../domain/network.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import { issueCertificate as decideIssue, requireAnchored } from '../domain/proof/decide.ts';
import { digestOf } from '../domain/proof/digest-of.ts';
import type { CertificateInputs } from '../domain/proof/events.ts';
import {
  type Certificate,
  type CertifiedProof,
  type CompletedProof,
  isCertified,
} from '../domain/proof/state.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { BlobStorage } from '../storage/contract.ts';
import type { EventProof } from '../transparency-log/inclusion/prove-event.ts';
import { decideOnProof } from './decide-on-proof.ts';
import { loadCertifiedFile } from './load-certified-file.ts';
import { loadIssuer } from './load-issuer.ts';
import { loadOwnProof } from './load-own-proof.ts';
import { anchoredAt } from './prove-anchoring.ts';
import type { Turns } from './turns.ts';

export interface IssuingDeps {
  readonly store: EventStore;
  readonly storage: BlobStorage;
  readonly certificates: CertificateMaker;
  /**
   * Proves the event at a position to be in the published log, against a checkpoint that covers it.
   * Rejects with `Transient` where there is none yet.
   */
  readonly inclusionOf: (position: number) => Promise<EventProof>;
  /** Shared by all of the process; the proof is the key. */
  readonly turns: Turns;
  /** Tells all processes that something is made for the organisation; refuses for one that is shut. */
  readonly fileWork: {
    during<Result>(organisationId: OrganisationId, work: () => Promise<Result>): Promise<Result>;
  };
  readonly newId: () => string;
  readonly now: () => Date;
  /** A PDF that nothing names could not be deleted at once; the sweep will. */
  readonly onLeftover: (trouble: unknown) => void;
}

export interface CertificateOrder {
  readonly organisationId: OrganisationId;
  readonly proofId: ProofId;
  /** Where the transaction is shown, as of now. */
  readonly addressesOf: (transaction: {
    readonly network: Network;
    readonly standalone: boolean;
    readonly hash: string;
  }) => Pick<CertificateInputs, 'verifyUrl' | 'publicApiUrl' | 'explorerUrl'>;
}

/**
 * Issues the certificate of a proof, or finds it issued. All that could change is fixed, the PDF made
 * of it and put on stable storage, and then named by the event, in this order. Of any number of
 * concurrent calls, by whatever processes, one issues; what another had stored meanwhile is deleted.
 * Refuses with PROOF_NOT_FOUND, PROOF_NOT_ANCHORED and `OrganisationShut`; rejects with `Transient`, `BlobTooOld` and
 * `StoreUnavailable` (then an event may name the PDF: it is left to the sweep).
 */
export async function issueCertificate(
  deps: IssuingDeps,
  order: CertificateOrder,
  meta: EventMeta,
): Promise<CertifiedProof> {
  const known = await loadAnchored(deps.store, order);
  if (isCertified(known)) return known;
  return deps.turns.take(`certificate ${order.proofId}`, async () => {
    const proof = await loadAnchored(deps.store, order);
    if (isCertified(proof)) return proof;
    return deps.fileWork.during(order.organisationId, async () => {
      const inputs = await fixInputs(deps, order, proof);
      const certificate = await keepPdf(deps, proof, inputs);
      return recordCertificate(deps, proof, certificate, meta);
    });
  });
}

async function loadAnchored(
  store: EventStore,
  order: Pick<CertificateOrder, 'organisationId' | 'proofId'>,
): Promise<CompletedProof> {
  const proof = await loadOwnProof(store, order);
  requireAnchored(proof);
  return proof;
}

async function fixInputs(
  { store, inclusionOf, now }: Pick<IssuingDeps, 'store' | 'inclusionOf' | 'now'>,
  { addressesOf }: CertificateOrder,
  proof: CompletedProof,
): Promise<CertificateInputs> {
  const { request, anchor } = proof;
  const issuer = await loadIssuer(store, proof);
  const file = await loadCertifiedFile(store, request);
  const { standalone } = issuer;
  const inclusion = await inclusionOf(await anchoredAt(store, request.proofId));
  const transaction = { network: request.network, standalone, hash: anchor.transactionHash };
  return {
    templateVersion: 1,
    issuedAt: now().toISOString(),
    logSize: inclusion.checkpoint.size,
    logInclusion: {
      event: inclusion.input,
      leafIndex: inclusion.index,
      hashes: inclusion.hashes.map((hash) => hash.toString('hex')),
      checkpoint: inclusion.checkpoint.note,
    },
    ...file,
    ...issuer,
    ...addressesOf(transaction),
  };
}

async function keepPdf(
  { storage, certificates, newId }: Pick<IssuingDeps, 'storage' | 'certificates' | 'newId'>,
  proof: CompletedProof,
  inputs: CertificateInputs,
): Promise<Certificate> {
  const bundle = certificates.bundle(proof, inputs);
  const pdf = await certificates.pdf(proof, inputs, bundle);
  const key = blobKey(proof.request.organisationId, newId());
  await storage.put(key, await storage.stage(Readable.from([pdf])));
  return {
    ...inputs,
    blobKey: key,
    sizeBytes: pdf.length,
    pdfDigest: digestOf(pdf),
    bundleDigest: digestOf(bundle),
  };
}

async function recordCertificate(
  deps: IssuingDeps,
  { request: { proofId } }: CompletedProof,
  certificate: Certificate,
  meta: EventMeta,
): Promise<CertifiedProof> {
  const { store, now } = deps;
  const { blobKey: key } = certificate;
  const decide = (state: Parameters<typeof decideIssue>[0]) => {
    checkNameable(key, now());
    return decideIssue(state, certificate);
  };
  const { state, changed } = await decideOnProof(store, proofId, decide, meta).catch(
    async (error: unknown) => {
      const isUnnamed = error instanceof BlobTooOld || error instanceof OrganisationShut;
      if (isUnnamed) await drop(deps, key);
      throw error;
    },
  );
  requireAnchored(state);
  if (changed) return { ...state, certificate };
  if (!isCertified(state)) throw new Error(`${proofId} has no certificate, nor may it have one`);
  if (state.certificate.blobKey !== key) await drop(deps, key);
  return state;
}

async function drop({ storage, onLeftover }: IssuingDeps, key: BlobKey): Promise<void> {
  await storage.delete(key).catch(onLeftover);
}
