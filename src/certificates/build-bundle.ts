import type { LedgerMemo } from '../domain/proof/memo.ts';
import { signatureLine } from '../transparency-log/checkpoint/signed-note.ts';
import {
  type Bundle,
  type BundleAttestation,
  type BundleLog,
  type BundleTimestamp,
  bundle,
  bundleFormat,
} from '../verifier/bundle/bundle.ts';
import { bundleChecksum } from '../verifier/bundle/bundle-checksum.ts';
import { issuedText } from '../verifier/bundle/issued-text.ts';
import { readForm } from '../verifier/bundle/read-form.ts';
import { readLogKey } from '../verifier/log/note-key.ts';
import type { CertificateContent } from './certificate-content.ts';

/** Ledger data of a proof that its certificate does not show. Binary forms in upper-case hex. */
export interface BundleEvidence {
  readonly memo: LedgerMemo;
  /** The signed transaction. */
  readonly blob: string;
  readonly metadata: string;
  readonly ledgerHeader: string;
  /** Seconds since 2000-01-01T00:00:00Z. */
  readonly closeTime: number;
  readonly transactionIndex: number;
  /** Inclusion in the published log; null for a certificate issued without it. */
  readonly log: BundleLog | null;
  /** Signatures of validators; null for a certificate issued without it. Needs `log`. */
  readonly attestation: BundleAttestation | null;
  /** Time-stamp token; null for a certificate issued without it. Needs `log`. */
  readonly timestamp: BundleTimestamp | null;
  /** Signature by a key of the issuer (`NAME+ID+KEY`), 64 bytes; null for a bundle without it. */
  readonly issuer: { readonly key: string; readonly signature: Uint8Array } | null;
}

/**
 * The bundle of a proof as text, to be encoded in UTF-8. The same content and evidence always give
 * the same text. Throws if the result does not match the schema of bundles.
 */
export function buildBundle(content: CertificateContent, evidence: BundleEvidence): string {
  const unsigned = bundleOf(content, evidence, evidence.issuer !== null);
  if (evidence.issuer === null) return bundleText(unsigned);
  const note = issuerNote(issuedText(unsigned), evidence.issuer);
  return bundleText({ ...unsigned, issuer: { note } });
}

/** The text that the issuer signs for the bundle of a proof. */
export function statementOf(
  content: CertificateContent,
  evidence: Omit<BundleEvidence, 'issuer'>,
): string {
  return issuedText(bundleOf(content, evidence, true));
}

/** The note of a signature. Throws if the key is malformed. */
function issuerNote(text: string, { key, signature }: NonNullable<BundleEvidence['issuer']>) {
  const known = readLogKey(key);
  if (known === null) throw new TypeError(`${key} is no key of an issuer`);
  const line = { ...known, signature: Buffer.from(signature) };
  return `${text}\n${signatureLine(line)}`;
}

/**
 * The form for sharing: the bundle without its nonce. Without the nonce, nobody can test whether a
 * file is the anchored one. All other checks remain possible. The name of the file can be left out,
 * too. The issuer's signature covers the name, so it is left out with it. A file without a name keeps it.
 */
export function shareBundle(whole: Bundle, { withFileName = true } = {}): string {
  const { commitment, file } = whole;
  const shared = { ...whole, commitment: { ...commitment, nonce: null } };
  if (withFileName || file.fileName === null) return bundleText(shared);
  return bundleText({ ...unsigned(shared), file: { ...file, fileName: null } });
}

/** The same evidence without the issuer's signature, in the version of such bundles. */
function unsigned(whole: Bundle): object {
  if (whole.version !== 6) return whole;
  const { issuer: _, attestation, timestamp, ...rest } = whole;
  if (timestamp !== null) return { ...rest, version: 5, attestation, timestamp };
  return attestation === null ? { ...rest, version: 3 } : { ...rest, version: 4, attestation };
}

/** The text of a bundle with its checksum. Members are in the order of the schema. */
function bundleText(content: object): string {
  const checked = readForm(bundle, { ...content, checksum: bundleChecksum(content) });
  return `${JSON.stringify(checked, null, 2)}\n`;
}

/**
 * `templateVersion` in every bundle. Readers refuse any other value in versions 1 to 6 of the
 * format. So it does not state the template of the pages, which are no evidence.
 */
const templateVersion = 1;

function bundleOf(
  content: CertificateContent,
  evidence: Omit<BundleEvidence, 'issuer'>,
  isSigned: boolean,
) {
  const { closeTime, transactionIndex, memo, blob, metadata, ledgerHeader } = evidence;
  const { log, attestation, timestamp } = evidence;
  const { proofId, issuedAt, organisationName, workspaceName } = content;
  const { fileName, fileSizeBytes, mimeType, fileHash } = content;
  const { hashScheme, commitment, nonce, revision, previousTransactionHash } = content;
  const { network, standalone, account, transactionHash } = content;
  const { ledgerIndex, ledgerHash, closeTimeIso } = content;
  const transaction = { transactionHash, transactionIndex, ledgerIndex, ledgerHash };
  return {
    format: bundleFormat,
    version: isSigned ? (6 as const) : versionOf(content, evidence),
    certificate: { templateVersion, proofId, issuedAt, organisationName, workspaceName },
    file: { fileName, fileSizeBytes, mimeType, fileHash },
    commitment: { hashScheme, commitment, nonce },
    revision: { number: revision, previousTransactionHash },
    anchor: { network, standalone, account, ...transaction, closeTime, closeTimeIso },
    evidence: { memo, blob, metadata, ledgerHeader },
    addresses: addressesOf(content),
    ...(log && { log }),
    ...((attestation || timestamp || isSigned) && { attestation }),
    ...((timestamp || isSigned) && { timestamp }),
  };
}

/** The version of these contents before bundles were signed: old bundles never change. */
function versionOf(
  { verifyPageUrl }: CertificateContent,
  { log, attestation, timestamp }: Omit<BundleEvidence, 'issuer'>,
): Bundle['version'] {
  if (timestamp !== null) return 5;
  if (attestation !== null) return 4;
  if (log === null) return 1;
  return verifyPageUrl === null ? 2 : 3;
}

function addressesOf(content: CertificateContent): object {
  const { verifyUrl, verifyPageUrl, publicApiUrl, explorerUrl } = content;
  return verifyPageUrl === null
    ? { verifyUrl, publicApiUrl, explorerUrl }
    : { verifyUrl, verifyPageUrl, publicApiUrl };
}
