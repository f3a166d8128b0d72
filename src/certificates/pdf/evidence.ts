import type { CertificateContent } from '../certificate-content.ts';
import { readableNumber, readableSize, readableTime } from './readable-values.ts';

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
  return [
    { title: 'File', rows: fileRows(content) },
    { title: 'Proof', rows: proofRows(content) },
    { title: networkTitle(content), rows: ledgerRows(content) },
    { title: 'Issuer', rows: issuerRows(content) },
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

function proofRows({ hashScheme, commitment, nonce }: CertificateContent): EvidenceRow[] {
  const rows = [words('Scheme', `${hashScheme} – ${meanings[hashScheme]}`)];
  if (commitment !== null) rows.push(digits('Commitment', commitment));
  if (nonce !== null) rows.push({ ...digits('Nonce (confidential)', nonce), confidential: true });
  return rows;
}

const meanings: Readonly<Record<CertificateContent['hashScheme'], string>> = {
  'sha256-plain-v1': 'the SHA-256 itself is on the ledger',
  'hmac-sha256-nonce-v2': 'HMAC-SHA-256 of the SHA-256, keyed with the nonce',
  'hmac-sha256-nonce-v3': 'HMAC-SHA-256 of the SHA-256, keyed with the nonce',
};

function ledgerRows(content: CertificateContent): EvidenceRow[] {
  return [
    digits('Transaction', content.transactionHash),
    digits('Ledger', String(content.ledgerIndex)),
    digits('Ledger hash', content.ledgerHash),
    words('Close time', `${readableTime(content.closeTimeIso)} (rounded by the ledger)`),
    digits('Anchoring account', content.account),
  ];
}

function issuerRows(content: CertificateContent): EvidenceRow[] {
  const { revision, previousTransactionHash } = content;
  const rows = [
    foreign('Organisation', content.organisationName),
    foreign('Workspace', content.workspaceName),
  ];
  if (revision !== null) rows.push(words('Revision', readableNumber(revision)));
  if (previousTransactionHash !== null) {
    rows.push(digits('Revision before', previousTransactionHash));
  }
  return [
    ...rows,
    digits('Proof', content.proofId),
    words('Certificate issued', readableTime(content.issuedAt)),
  ];
}
