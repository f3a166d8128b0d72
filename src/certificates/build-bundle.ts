import type { LedgerMemo } from '../domain/proof/memo.ts';
import { type Bundle, type BundleLog, bundle, bundleFormat } from '../verifier/bundle/bundle.ts';
import { bundleChecksum } from '../verifier/bundle/bundle-checksum.ts';
import { readForm } from '../verifier/bundle/read-form.ts';
import type { CertificateContent } from './certificate-content.ts';

/** What the ledger holds of a proof, beside what its certificate shows. Binary forms in upper-case hex. */
export interface BundleEvidence {
  readonly memo: LedgerMemo;
  /** The signed transaction. */
  readonly blob: string;
  readonly metadata: string;
  readonly ledgerHeader: string;
  /** Seconds since 2000-01-01T00:00:00Z. */
  readonly closeTime: number;
  readonly transactionIndex: number;
  /** That it is in the published log; null where the certificate was issued without. */
  readonly log: BundleLog | null;
}

/**
 * The bundle of a proof as text, UTF-8 once encoded. The same content and evidence give the same
 * text for ever. Throws if they do not make a bundle that can be read again.
 */
export function buildBundle(content: CertificateContent, evidence: BundleEvidence): string {
  return bundleText(bundleOf(content, evidence));
}

/**
 * The form for sharing: the same without the nonce. Who has no nonce cannot tell from it whether a
 * file is the one that was anchored, but everything else can be checked.
 */
export function shareBundle(whole: Bundle): string {
  const { commitment } = whole;
  return bundleText({ ...whole, commitment: { ...commitment, nonce: null } });
}

/** In the form of a bundle, with the members in its order. */
function bundleText(content: object): string {
  const checked = readForm(bundle, { ...content, checksum: bundleChecksum(content) });
  return `${JSON.stringify(checked, null, 2)}\n`;
}

function bundleOf(content: CertificateContent, evidence: BundleEvidence): object {
  const { closeTime, transactionIndex, memo, blob, metadata, ledgerHeader, log } = evidence;
  const { templateVersion, proofId, issuedAt, organisationName, workspaceName } = content;
  const { fileName, fileSizeBytes, mimeType, fileHash } = content;
  const { hashScheme, commitment, nonce, revision, previousTransactionHash } = content;
  const { network, standalone, account, transactionHash } = content;
  const { ledgerIndex, ledgerHash, closeTimeIso } = content;
  const { verifyUrl, publicApiUrl, explorerUrl } = content;
  const place = { transactionHash, transactionIndex, ledgerIndex, ledgerHash };
  return {
    format: bundleFormat,
    version: log === null ? 1 : 2,
    certificate: { templateVersion, proofId, issuedAt, organisationName, workspaceName },
    file: { fileName, fileSizeBytes, mimeType, fileHash },
    commitment: { hashScheme, commitment, nonce },
    revision: { number: revision, previousTransactionHash },
    anchor: { network, standalone, account, ...place, closeTime, closeTimeIso },
    evidence: { memo, blob, metadata, ledgerHeader },
    addresses: { verifyUrl, publicApiUrl, explorerUrl },
    ...(log && { log }),
  };
}
