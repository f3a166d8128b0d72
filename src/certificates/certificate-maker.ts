import type {
  CertificateInputs,
  IssuerSignature,
  LogInclusion,
  TimestampReference,
} from '../domain/proof/certificate-inputs.ts';
import { proofMemo } from '../domain/proof/memo.ts';
import type { CompletedProof } from '../domain/proof/state.ts';
import { textOf } from '../transparency-log/checkpoint/checkpoint.ts';
import type { BundleLog, BundleTimestamp } from '../verifier/bundle/bundle.ts';
import { readBundle } from '../verifier/bundle/read-bundle.ts';
import { type BundleEvidence, buildBundle, shareBundle, statementOf } from './build-bundle.ts';
import type { CertificateContent, EvidenceSummary } from './certificate-content.ts';
import { attestationFor } from './choose-attestation.ts';
import type { CertificateMaker, RecordedEvidence } from './contract.ts';
import { noEvidence, summariseEvidence } from './evidence-summary.ts';
import type { CertificateRenderer } from './pdf/certificate-renderer.ts';
import type { CertificateSigner } from './signature/certificate-signer.ts';
import { findSignatureGap, placeSignature } from './signature/place-signature.ts';

/**
 * Makes certificates from completed proofs and their recorded inputs. `signer` signs new ones; null:
 * they have no signature.
 */
export function createCertificateMaker(
  renderer: Pick<CertificateRenderer, 'choose' | 'render'>,
  signer: CertificateSigner | null = null,
): CertificateMaker {
  const render = (
    proof: CompletedProof,
    inputs: CertificateInputs,
    bundle: Uint8Array,
    roomBytes: number | null,
  ) => {
    const content = contentOf(
      proof,
      inputs,
      inputs.templateVersion < 3 ? noEvidence : summariseEvidence(bundle),
    );
    return renderer.render(proof.request.organisationId, content, bundle, roomBytes);
  };
  return {
    choose: ({ request, prepared: { blob }, anchor }, recorded) => {
      const { transactionHash, metadata, ledgerHeader } = anchor;
      const transaction = { transactionHash, blob, metadata, ledgerHeader, recorded };
      return renderer.choose(request.organisationId, transaction);
    },
    bundle: (proof, inputs, recorded) =>
      Buffer.from(
        buildBundle(contentOf(proof, inputs, noEvidence), {
          ...evidenceOf(proof, inputs, recorded),
          issuer: signatureOf(inputs),
        }),
      ),
    statement: (proof, inputs, recorded) =>
      statementOf(contentOf(proof, inputs, noEvidence), evidenceOf(proof, inputs, recorded)),
    share: (bundle, options) =>
      Buffer.from(shareBundle(readBundle(Buffer.from(bundle).toString('utf8')), options)),
    async pdf(proof, inputs, bundle, signature) {
      if (signature === null) return render(proof, inputs, bundle, null);
      const { roomBytes, cms } = signature;
      const rendered = await render(proof, inputs, bundle, roomBytes);
      return placeSignature(findSignatureGap(rendered, roomBytes), Buffer.from(cms, 'base64'));
    },
    async newPdf(proof, inputs, bundle) {
      const roomBytes = signer?.room() ?? null;
      const rendered = await render(proof, inputs, bundle, roomBytes);
      if (signer === null || roomBytes === null) return { pdf: rendered, signature: null };
      const gap = findSignatureGap(rendered, roomBytes);
      const cms = await signer.sign(gap.covered);
      const signature = { cms: Buffer.from(cms).toString('base64'), roomBytes };
      return { pdf: placeSignature(gap, cms), signature };
    },
  };
}

function contentOf(
  { request, prepared, anchor }: CompletedProof,
  inputs: Omit<CertificateInputs, keyof IssuerSignature>,
  evidence: EvidenceSummary,
): CertificateContent {
  const { templateVersion, issuedAt, fileName, fileSizeBytes, mimeType, revision } = inputs;
  const { organisationName, workspaceName, standalone } = inputs;
  const { verifyUrl, verifyPageUrl, publicApiUrl, explorerUrl } = inputs;
  const { description, classification, verifier } = inputs;
  const { proofId, fileHash, hashScheme, commitment, nonce, network } = request;
  const { transactionHash, ledgerIndex, ledgerHash, closeTimeIso } = anchor;
  const { account, previousTransactionHash } = prepared;
  return {
    ...{ templateVersion, proofId, issuedAt, organisationName, workspaceName },
    ...{ fileName, fileSizeBytes, mimeType, fileHash, hashScheme, commitment, nonce },
    ...{ network, standalone, account, transactionHash, ledgerIndex, ledgerHash, closeTimeIso },
    ...{ revision, previousTransactionHash },
    ...{ verifyUrl, verifyPageUrl, publicApiUrl, explorerUrl },
    ...{ description, classification, verifier, evidence },
  };
}

function evidenceOf(
  { request, prepared, anchor }: CompletedProof,
  {
    logInclusion,
    attestation,
    timestamp,
  }: Pick<CertificateInputs, 'logInclusion' | 'attestation' | 'timestamp'>,
  recorded: RecordedEvidence,
): Omit<BundleEvidence, 'issuer'> {
  const { commitment, fileHash, hashScheme } = request;
  const previous = prepared.previousTransactionHash;
  const { metadata, ledgerHeader, closeTime, transactionIndex } = anchor;
  return {
    memo: proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous }),
    blob: prepared.blob,
    ...{ metadata, ledgerHeader, closeTime, transactionIndex },
    log: logInclusion === null ? null : logOf(logInclusion, anchor.ledgerId),
    attestation:
      attestation && attestationFor(anchor.transactionHash, recorded.attestation, attestation),
    timestamp: timestamp && timestampFor(recorded.timestamp, timestamp),
  };
}

function signatureOf({ issuerKey: key, issuerSignature }: IssuerSignature) {
  if (key === null || issuerSignature === null) return null;
  return { key, signature: Buffer.from(issuerSignature, 'base64') };
}

/** The cast is safe: the schema of bundles refuses all but an organisation's Anchored event. */
function logOf({ event, ...path }: LogInclusion, ledgerId: string): BundleLog {
  return { event: { v: 1, ...event }, ledgerId, ...path } as BundleLog;
}

function timestampFor(
  recorded: RecordedEvidence['timestamp'],
  { stream, hashes }: TimestampReference,
): BundleTimestamp {
  if (recorded === null) throw new Error(`the token of ${stream} is not on record`);
  return { checkpointText: textOf(recorded).toString('utf8'), hashes, token: recorded.token };
}
