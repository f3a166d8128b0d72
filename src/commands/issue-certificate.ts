import type { RecordedEvidence } from '../certificates/contract.ts';
import type { Network } from '../domain/network.ts';
import type { CertificateInputs, TimestampReference } from '../domain/proof/certificate-inputs.ts';
import { requireAnchored } from '../domain/proof/require-anchored.ts';
import {
  type CertifiedProof,
  type CompletedProof,
  isCertified,
  type LateEvidence,
  mayIssue,
} from '../domain/proof/state.ts';
import { currentTemplate } from '../domain/proof/template-version.ts';
import type { OrganisationId, ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { type DueEvidence, dueFor, isAnyDue } from '../loading/due-evidence.ts';
import { anchoredAt } from '../loading/find-anchored.ts';
import { loadCertifiedFile } from '../loading/load-certified-file.ts';
import { loadIssuer } from '../loading/load-issuer.ts';
import { loadOwnProof } from '../loading/load-own-proof.ts';
import { loadRecordedAttestation } from '../loading/load-recorded-attestation.ts';
import { loadTimestamp } from '../loading/load-timestamp.ts';
import type { UnprovenAnchors } from '../loading/unproven-anchors.ts';
import type { EventProof } from '../transparency-log/inclusion/prove-event.ts';
import { type RecordingDeps, signAndRecord, type UnsignedInputs } from './record-certificate.ts';

export interface IssuingDeps extends RecordingDeps {
  /** Shared by the whole process. */
  readonly unproven: UnprovenAnchors;
  /**
   * Proves that the event at a position is in the published log, against a checkpoint that covers
   * it. Rejects with `Unavailable` if there is no such checkpoint yet.
   */
  readonly inclusionOf: (position: number) => Promise<EventProof>;
  /**
   * Waits until the signatures of validators for the ledger of a proof are on record, for a limited
   * time. Rejects if the store cannot be read.
   */
  readonly awaitAttestation: (proof: CompletedProof) => Promise<void>;
  /** Time-stamp tokens for certificates; null without an authority: certificates then have none. */
  readonly timestamps: CertificateTimestamps | null;
  /** Shared by the whole process; the key is the proof. */
  readonly turns: Turns;
  /**
   * Announces to all processes that a file of the organisation is being made. Refuses for a closed
   * or erased organisation.
   */
  readonly fileWork: {
    during<Result>(organisationId: OrganisationId, work: () => Promise<Result>): Promise<Result>;
  };
}

/** Recorded time-stamp tokens of checkpoints of the log. */
export interface CertificateTimestamps {
  /** True if a token covers the event at a position, as far as the log was folded. */
  covers(position: number): Promise<boolean>;
  /**
   * Refers to the token of the earliest checkpoint that covers the event. Null if there is none, or
   * if a bundle cannot contain it now.
   */
  referTo(position: number): Promise<TimestampReference | null>;
}

interface CertificateOrder {
  readonly organisationId: OrganisationId;
  readonly proofId: ProofId;
  /** Returns the current URLs that show the transaction. */
  readonly addressesOf: (transaction: {
    readonly network: Network;
    readonly standalone: boolean;
    readonly hash: string;
  }) => Pick<
    CertificateInputs,
    'verifyUrl' | 'verifyPageUrl' | 'publicApiUrl' | 'explorerUrl' | 'verifier'
  >;
}

/**
 * Returns the proof with its newest certificate. Issues the first one, or a successor if the
 * signatures of validators or the time-stamp token that the newest one lacks are on record now. A
 * successor has all evidence of the one before. First fixes all inputs that could change. Then the
 * issuer signs the bundle, the PDF with it is made, signed and put on stable storage, and the event
 * that names it is appended. Of any number of concurrent calls in any processes, one issues, and the
 * others delete the PDFs that they stored. Refuses with PROOF_NOT_FOUND, PROOF_NOT_ANCHORED and `OrganisationShut`.
 * Rejects with `Unavailable`, `BlobTooOld` and `StoreUnavailable`. After `StoreUnavailable` an event
 * may name the PDF, so it is left to the sweep.
 */
export async function issueCertificate(
  deps: IssuingDeps,
  order: CertificateOrder,
  meta: EventMeta,
): Promise<CertifiedProof> {
  const known = await loadAnchored(deps.store, order);
  if (isCertified(known) && !isAnyDue(await dueFor(deps, known))) return known;
  return deps.turns.take(`certificate ${order.proofId}`, async () => {
    const proof = await loadAnchored(deps.store, order);
    if (!isCertified(proof)) {
      await deps.awaitAttestation(proof);
      return issueNext(deps, order, proof, meta);
    }
    const due = await dueFor(deps, proof);
    return isAnyDue(due) ? issueNext(deps, order, proof, meta, due) : proof;
  });
}

/** Issues the first certificate, or a successor if it gains evidence. */
async function issueNext(
  deps: IssuingDeps,
  order: CertificateOrder,
  proof: CompletedProof,
  meta: EventMeta,
  due: DueEvidence = { attestation: true, timestamp: true },
): Promise<CertifiedProof> {
  return deps.fileWork.during(order.organisationId, async () => {
    const { certificate: last } = proof;
    const signed =
      last?.attestation || due.attestation
        ? await loadRecordedAttestation(deps.store, proof)
        : null;
    const attestation =
      last?.attestation ?? (due.attestation ? await choose(deps, proof, signed) : null);
    const position = await anchoredAt(deps.store, order.proofId);
    const timestamp = last?.timestamp ?? (await deps.timestamps?.referTo(position)) ?? null;
    const evidence = { attestation, timestamp };
    if (isCertified(proof) && !mayIssue(proof, evidence)) return proof;
    const stamped = await loadTimestamp(deps.store, timestamp);
    const inputs = { ...(await fixInputs(deps, order, proof, { position, stamped })), ...evidence };
    const recorded = { attestation: signed, timestamp: stamped };
    return signAndRecord(deps, proof, { inputs, recorded }, meta);
  });
}

/** Chooses the recorded signatures that a bundle needs; null if they do not prove the anchor. */
async function choose(
  { certificates, unproven }: Pick<IssuingDeps, 'certificates' | 'unproven'>,
  proof: CompletedProof,
  recorded: RecordedEvidence['attestation'],
): Promise<LateEvidence['attestation']> {
  const attestation = recorded && (await certificates.choose(proof, recorded));
  const isUnproven = attestation === null && (recorded !== null || isCertified(proof));
  if (isUnproven) unproven.add(proof.request.proofId);
  return attestation;
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
  {
    position,
    stamped,
  }: { readonly position: number; readonly stamped: RecordedEvidence['timestamp'] },
): Promise<Omit<UnsignedInputs, keyof LateEvidence>> {
  const { request, anchor, certificate: last } = proof;
  const { ledgerId, ledgerIndex } = anchor;
  const issuer = await loadIssuer(store, proof);
  const file = await loadCertifiedFile(store, request);
  const { standalone } = issuer;
  const inclusion = await inclusionOf(position);
  const transaction = { network: request.network, standalone, hash: anchor.transactionHash };
  return {
    templateVersion: currentTemplate,
    issuedAt: issueTime(now(), {
      certified: [anchor.closeTimeIso, ...(stamped === null ? [] : [stamped.time])],
      recorded: [inclusion.input.recordedAt, ...(last === null ? [] : [last.issuedAt])],
    }),
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

/**
 * The clocks of a ledger and of an authority may run ahead of ours. A certificate is issued later than
 * all that it certifies, also in times without fractions of a second. Nor is it issued before our own
 * record of the anchoring and earlier certificates, which another process may have made.
 */
function issueTime(
  now: Date,
  { certified, recorded }: Readonly<Record<'certified' | 'recorded', readonly string[]>>,
): string {
  const laterThan = certified.map((iso) => Math.floor(Date.parse(iso) / 1_000) * 1_000 + 1_000);
  const times = recorded.map((iso) => Date.parse(iso));
  return new Date(Math.max(now.getTime(), ...laterThan, ...times)).toISOString();
}
