import { Readable } from 'node:stream';
import type { CertificateMaker } from '../certificates/contract.ts';
import { isProvable } from '../domain/attestation/is-provable.ts';
import type { RecordedAttestation } from '../domain/attestation/recorded-attestation.ts';
import { type BlobKey, blobKey } from '../domain/blob/blob-key.ts';
import { BlobTooOld, checkNameable } from '../domain/blob/orphan.ts';
import type { Network } from '../domain/network.ts';
import { OrganisationShut } from '../domain/organisation/organisation-shut.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import { digestOf } from '../domain/proof/digest-of.ts';
import type { CertificateInputs } from '../domain/proof/events.ts';
import { requireAnchored } from '../domain/proof/require-anchored.ts';
import {
  type Certificate,
  type CertifiedProof,
  type CompletedProof,
  isCertified,
  issued,
  type ProofState,
} from '../domain/proof/state.ts';
import { currentTemplate } from '../domain/proof/template-version.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { loadAttestation } from '../loading/load-attestation.ts';
import { loadCertifiedFile } from '../loading/load-certified-file.ts';
import { loadIssuer } from '../loading/load-issuer.ts';
import { loadOwnProof } from '../loading/load-own-proof.ts';
import { loadRecordedAttestation } from '../loading/load-recorded-attestation.ts';
import type { BlobStorage } from '../storage/contract.ts';
import { anchoredAt } from '../transparency-log/inclusion/prove-anchoring.ts';
import type { EventProof } from '../transparency-log/inclusion/prove-event.ts';
import { handleProof } from './handle-proof.ts';
import type { UnprovenAnchors } from './unproven-anchors.ts';

export interface IssuingDeps {
  readonly store: EventStore;
  readonly storage: BlobStorage;
  readonly certificates: CertificateMaker;
  /** Shared by the whole process. */
  readonly unproven: UnprovenAnchors;
  /**
   * Proves that the event at a position is in the published log, against a checkpoint that covers
   * it. Rejects with `Transient` if there is no such checkpoint yet.
   */
  readonly inclusionOf: (position: number) => Promise<EventProof>;
  /**
   * Waits until the signatures of validators for the ledger of a proof are on record, for a limited
   * time. Rejects if the store cannot be read.
   */
  readonly awaitAttestation: (proof: CompletedProof) => Promise<void>;
  /** Shared by the whole process; the key is the proof. */
  readonly turns: Turns;
  /**
   * Announces to all processes that a file of the organisation is being made. Refuses for a closed
   * or erased organisation.
   */
  readonly fileWork: {
    during<Result>(organisationId: OrganisationId, work: () => Promise<Result>): Promise<Result>;
  };
  readonly newId: () => string;
  readonly now: () => Date;
  /** Called if an unnamed PDF could not be deleted at once; the sweep will delete it. */
  readonly onLeftover: (trouble: unknown) => void;
}

interface CertificateOrder {
  readonly organisationId: OrganisationId;
  readonly proofId: ProofId;
  /** Returns the current URLs that show the transaction. */
  readonly addressesOf: (transaction: {
    readonly network: Network;
    readonly standalone: boolean;
    readonly hash: string;
  }) => Pick<CertificateInputs, 'verifyUrl' | 'verifyPageUrl' | 'publicApiUrl' | 'explorerUrl'>;
}

/**
 * Returns the proof with its newest certificate. Issues the first one, or a successor if the
 * signatures of validators that the newest one lacks are on record now. First fixes all inputs that
 * could change, then makes the PDF and puts it on stable storage, then appends the event that names
 * it. Of any number of concurrent calls in any processes, one issues, and the others delete the PDFs
 * that they stored. Refuses with PROOF_NOT_FOUND, PROOF_NOT_ANCHORED and `OrganisationShut`.
 * Rejects with `Transient`, `BlobTooOld` and `StoreUnavailable`. After `StoreUnavailable` an event
 * may name the PDF, so it is left to the sweep.
 */
export async function issueCertificate(
  deps: IssuingDeps,
  order: CertificateOrder,
  meta: EventMeta,
): Promise<CertifiedProof> {
  const known = await loadAnchored(deps.store, order);
  if (isCertified(known) && !(await isSuccessorDue(deps, known))) return known;
  return deps.turns.take(`certificate ${order.proofId}`, async () => {
    const proof = await loadAnchored(deps.store, order);
    if (!isCertified(proof)) await deps.awaitAttestation(proof);
    else if (!(await isSuccessorDue(deps, proof))) return proof;
    return issueNext(deps, order, proof, meta);
  });
}

/** True if the newest certificate lacks signatures that are on record, and that may prove the anchor. */
async function isSuccessorDue(
  { store, unproven }: Pick<IssuingDeps, 'store' | 'unproven'>,
  { request, certificate, anchor }: CertifiedProof,
): Promise<boolean> {
  if (certificate.attestation !== null || unproven.has(request.proofId)) return false;
  const recorded = await loadAttestation(store, anchor);
  return recorded !== null && isProvable(recorded);
}

/** Issues the first certificate, or the successor if the recorded signatures prove the anchor. */
async function issueNext(
  deps: IssuingDeps,
  order: CertificateOrder,
  proof: CompletedProof,
  meta: EventMeta,
): Promise<CertifiedProof> {
  return deps.fileWork.during(order.organisationId, async () => {
    const recorded = await loadRecordedAttestation(deps.store, proof);
    const attestation = recorded && (await deps.certificates.choose(proof, recorded));
    const isUnproven = attestation === null && (recorded !== null || isCertified(proof));
    if (isUnproven) deps.unproven.add(proof.request.proofId);
    if (isCertified(proof) && attestation === null) return proof;
    const inputs = { ...(await fixInputs(deps, order, proof)), attestation };
    const certificate = await keepPdf(deps, proof, inputs, recorded);
    return recordCertificate(deps, proof, certificate, meta);
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
): Promise<Omit<CertificateInputs, 'attestation'>> {
  const { request, anchor } = proof;
  const { ledgerId, ledgerIndex } = anchor;
  const issuer = await loadIssuer(store, proof);
  const { description: _, ...file } = await loadCertifiedFile(store, request);
  const { standalone } = issuer;
  const inclusion = await inclusionOf(await anchoredAt(store, request.proofId));
  const transaction = { network: request.network, standalone, hash: anchor.transactionHash };
  return {
    templateVersion: currentTemplate,
    issuedAt: issueTime(now(), anchor.closeTimeIso),
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
    ledger: { ledgerId, ledgerIndex },
  };
}

/** The clock of a ledger may run ahead of ours. Nothing is issued before what it certifies. */
function issueTime(now: Date, closeTimeIso: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(closeTimeIso))).toISOString();
}

async function keepPdf(
  { storage, certificates, newId }: Pick<IssuingDeps, 'storage' | 'certificates' | 'newId'>,
  proof: CompletedProof,
  inputs: CertificateInputs,
  recorded: RecordedAttestation | null,
): Promise<Certificate> {
  const bundle = certificates.bundle(proof, inputs, recorded);
  const pdf = await certificates.pdf(proof, inputs, bundle);
  const { organisationId } = proof.request;
  const key = blobKey(organisationId, newId());
  await storage.put(key, await storage.stage(organisationId, Readable.from([pdf])));
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
  const decide = (state: ProofState) => {
    checkNameable(key, now());
    return proofDecider.certify(state, certificate);
  };
  const { state, appended } = await handleProof(store, proofId, decide, meta).catch(
    async (error: unknown) => {
      const isUnnamed = error instanceof BlobTooOld || error instanceof OrganisationShut;
      if (isUnnamed) await drop(deps, key);
      throw error;
    },
  );
  requireAnchored(state);
  if (appended.length > 0) return issued(state, certificate);
  if (!isCertified(state)) throw new Error(`${proofId} has no certificate, nor may it have one`);
  if (state.certificate.blobKey !== key) await drop(deps, key);
  return state;
}

async function drop({ storage, onLeftover }: IssuingDeps, key: BlobKey): Promise<void> {
  await storage.delete(key).catch(onLeftover);
}
