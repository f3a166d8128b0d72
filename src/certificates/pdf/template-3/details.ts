import type { CertificateContent } from '../../certificate-content.ts';
import { readableNumber, readableSize, readableTime } from '../readable-values.ts';
import { issuerTitle, ledgerTitle, schemes, shortened, shortenedName } from './texts.ts';

/** A table of facts that a verifier needs. */
export interface DetailGroup {
  readonly title: string;
  readonly rows: readonly DetailRow[];
}

export interface DetailRow {
  readonly label: string;
  readonly value: string;
  /** `digits` are to be compared or copied. `foreign` text is untrusted. */
  readonly kind: 'words' | 'digits' | 'foreign';
  readonly confidential?: boolean;
  /** Note below a value that is cut off. */
  readonly note?: string;
  /** True if line ends of the value are drawn as such. */
  readonly isMultiline?: boolean;
}

export function detailsOf(content: CertificateContent): DetailGroup[] {
  return [
    { title: 'File, as stated by the issuer', rows: fileRows(content) },
    { title: 'Proof', rows: proofRows(content) },
    { title: ledgerTitle(content), rows: ledgerRows(content) },
    { title: 'Evidence in the attached proof-bundle.json', rows: evidenceRows(content) },
    { title: issuerTitle(content), rows: issuerRows(content) },
  ];
}

const words = (label: string, value: string): DetailRow => ({ label, value, kind: 'words' });
const digits = (label: string, value: string): DetailRow => ({ label, value, kind: 'digits' });
const foreign = (label: string, value: string, note = shortenedName): DetailRow => ({
  ...{ label, value, note },
  kind: 'foreign',
});

function fileRows(content: CertificateContent): DetailRow[] {
  const { fileName, fileSizeBytes, mimeType, description, classification, revision } = content;
  return [
    described('Name', fileName),
    ...(description === null || description === ''
      ? []
      : [{ ...foreign('Description', description, shortened), isMultiline: true }]),
    ...(classification === null ? [] : [foreign('Classification', classification, shortened)]),
    words('Size', fileSizeBytes === null ? 'not given' : readableSize(fileSizeBytes)),
    described('Type', mimeType),
    ...(revision === null ? [] : [words('Revision', readableNumber(revision))]),
  ];
}

/** Row for a text of the requester, which may be empty or missing. */
function described(label: string, text: string | null): DetailRow {
  if (text === null) return words(label, 'not given');
  return text === '' ? words(label, 'empty') : foreign(label, text);
}

function proofRows(content: CertificateContent): DetailRow[] {
  const { fileHash, hashScheme, commitment, nonce, previousTransactionHash } = content;
  return [
    digits('SHA-256', fileHash),
    words('Hash scheme', `${hashScheme} – ${schemes[hashScheme]}`),
    ...(commitment === null ? [] : [digits('Commitment', commitment)]),
    ...(nonce === null
      ? []
      : [
          {
            ...{ label: 'Nonce (confidential)', value: nonce },
            ...{ kind: 'digits' as const, confidential: true },
          },
        ]),
    ...(previousTransactionHash === null
      ? []
      : [digits('Previous revision', previousTransactionHash)]),
  ];
}

function ledgerRows(content: CertificateContent): DetailRow[] {
  return [
    digits('Transaction hash', content.transactionHash),
    digits('Ledger index', String(content.ledgerIndex)),
    digits('Ledger hash', content.ledgerHash),
    words('Close time', `${readableTime(content.closeTimeIso)} (rounded by the ledger)`),
    digits('Anchoring account', content.account),
  ];
}

function evidenceRows({ evidence }: CertificateContent): DetailRow[] {
  const { log, validators, stampedAt, issuerKey } = evidence;
  const signatures =
    validators === null
      ? 'not included: ask a ledger server for the transaction'
      : `signatures of ${readableNumber(validators)} validators of the ledger, which prove the transaction without a server`;
  return [
    words('Transaction', 'as signed, with its result and the header of its ledger'),
    words('Validators', signatures),
    ...(log === null
      ? [words('Public log', 'not included')]
      : [
          foreign('Public log', log.origin),
          words(
            'Log checkpoint',
            `${readableNumber(log.size)} events, among them the anchoring of this proof as number ${readableNumber(log.leafIndex + 1)}`,
          ),
          digits('Root of the checkpoint', log.root),
        ]),
    words(
      'Time-stamp token',
      stampedAt === null
        ? 'not included'
        : `of the log, ${readableTime(stampedAt)}, by a time-stamping authority (RFC 3161)`,
    ),
    issuerKey === null
      ? words("Issuer's signature", 'not included')
      : foreign("Issuer's signature", `with the key ${issuerKey}`),
  ];
}

function issuerRows(content: CertificateContent): DetailRow[] {
  return [
    foreign('Organisation', content.organisationName),
    foreign('Workspace', content.workspaceName),
    digits('Proof ID', content.proofId),
    words('Certificate issued', readableTime(content.issuedAt)),
  ];
}
