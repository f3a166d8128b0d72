import type { CertificateContent } from '../../certificate-content.ts';
import { readableNumber, readableSize, readableTime } from '../readable-values.ts';
import type { Wording } from './wording/wording.ts';
import { wordingOf } from './wording/wording-of.ts';

/** A group of rows in the table of all facts that a verifier needs. */
export interface EvidenceGroup {
  readonly title: string;
  readonly rows: readonly EvidenceRow[];
}

export interface EvidenceRow {
  readonly label: string;
  readonly value: string;
  /** `digits` are to be compared or copied. `foreign` text is untrusted. */
  readonly kind: 'words' | 'digits' | 'foreign';
  readonly confidential?: boolean;
}

export function evidenceOf(content: CertificateContent): EvidenceGroup[] {
  const wording = wordingOf(content).evidence;
  return [
    { title: 'File', rows: fileRows(content) },
    { title: 'Proof', rows: proofRows(content, wording) },
    { title: networkTitle(content), rows: ledgerRows(content, wording) },
    { title: 'Issuer', rows: issuerRows(content, wording) },
  ];
}

/** Short name of the ledger. */
export function networkTitle(content: Pick<CertificateContent, 'network' | 'standalone'>): string {
  if (content.standalone) return 'Development ledger';
  return content.network === 'mainnet' ? 'XRP Ledger' : 'XRP Ledger Testnet';
}

const words = (label: string, value: string): EvidenceRow => ({ label, value, kind: 'words' });
const digits = (label: string, value: string): EvidenceRow => ({ label, value, kind: 'digits' });
const foreign = (label: string, value: string): EvidenceRow => ({ label, value, kind: 'foreign' });

function fileRows(content: CertificateContent): EvidenceRow[] {
  const { fileName, fileSizeBytes, mimeType, fileHash } = content;
  return [
    described('Name', fileName),
    words('Size', fileSizeBytes === null ? 'not given' : readableSize(fileSizeBytes)),
    described('Type', mimeType),
    digits('SHA-256', fileHash),
  ];
}

/** Row for a text of the requester, which may be empty or missing. */
function described(label: string, text: string | null): EvidenceRow {
  if (text === null) return words(label, 'not given');
  return text === '' ? words(label, 'empty') : foreign(label, text);
}

function proofRows(
  { hashScheme, commitment, nonce }: CertificateContent,
  { labels, schemes }: Wording['evidence'],
): EvidenceRow[] {
  const rows = [words(labels.scheme, `${hashScheme} – ${schemes[hashScheme]}`)];
  if (commitment !== null) rows.push(digits('Commitment', commitment));
  if (nonce !== null) rows.push({ ...digits('Nonce (confidential)', nonce), confidential: true });
  return rows;
}

function ledgerRows(content: CertificateContent, { labels }: Wording['evidence']): EvidenceRow[] {
  return [
    digits(labels.transaction, content.transactionHash),
    digits(labels.ledgerIndex, String(content.ledgerIndex)),
    digits('Ledger hash', content.ledgerHash),
    words('Close time', `${readableTime(content.closeTimeIso)} (rounded by the ledger)`),
    digits('Anchoring account', content.account),
  ];
}

function issuerRows(content: CertificateContent, { labels }: Wording['evidence']): EvidenceRow[] {
  const { revision, previousTransactionHash } = content;
  const rows = [
    foreign('Organisation', content.organisationName),
    foreign('Workspace', content.workspaceName),
  ];
  if (revision !== null) rows.push(words('Revision', readableNumber(revision)));
  if (previousTransactionHash !== null) {
    rows.push(digits(labels.previousRevision, previousTransactionHash));
  }
  return [
    ...rows,
    digits(labels.proofId, content.proofId),
    words('Certificate issued', readableTime(content.issuedAt)),
  ];
}
