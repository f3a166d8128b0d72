import type { HashScheme } from '../../../domain/proof/hash-scheme.ts';
import type { CertificateContent } from '../../certificate-content.ts';
import { readableNumber, readableTime } from '../readable-values.ts';

/** Texts of template 3. They never change: other texts need a new template version. */
export const title = 'Proof-of-existence certificate';

export const attachmentDescription =
  'Proof bundle: the data of this certificate and the evidence from the ledger, for programs';

/** The statement of the certificate, below its title. */
export function lede({ network, standalone, closeTimeIso }: CertificateContent): string {
  const file = `the file described below existed, byte for byte, no later than ${readableTime(closeTimeIso)}.`;
  if (standalone) {
    return `Test only: no evidential value. According to a development ledger, ${file}`;
  }
  return `According to ${networkInWords(network)}, ${file} Anybody can check this.`;
}

function networkInWords(network: CertificateContent['network']): string {
  return network === 'mainnet' ? 'the XRP Ledger' : 'the test network of the XRP Ledger';
}

/** Short name of the ledger. */
export function ledgerTitle({
  network,
  standalone,
}: Pick<CertificateContent, 'network' | 'standalone'>): string {
  if (standalone) return 'Development ledger';
  return network === 'mainnet' ? 'XRP Ledger' : 'XRP Ledger Testnet';
}

export function ledgerNote({ network, standalone, ledgerIndex }: CertificateContent): string {
  const publicNetwork =
    network === 'mainnet' ? 'Public main network (mainnet)' : 'Public test network (testnet)';
  const keeper = standalone ? 'Kept only by the issuing service' : publicNetwork;
  return `${keeper}, ledger index ${readableNumber(ledgerIndex)}`;
}

/** Fact that a holder must know before relying on the certificate or passing it on. */
export interface Warning {
  readonly title: string;
  readonly text: string;
}

const confidential: Warning = {
  title: 'Confidential',
  text: 'This certificate and its attachment contain the nonce, which lets anybody test whether a file is the proven one. Share them only with people who may verify the file.',
};
const testNetwork: Warning = {
  title: 'Test network',
  text: 'The test network of the XRP Ledger can be reset at any time, and its transactions are then gone. This proof is for tests, not for evidence.',
};
const development: Warning = {
  title: 'Test only',
  text: 'No evidential value: only the issuing service keeps this development ledger, and it can be reset at any time. Nobody else can confirm this proof.',
};

export function warningsOf({ network, standalone, nonce }: CertificateContent): Warning[] {
  const ofLedger = standalone ? development : network === 'testnet' ? testNetwork : null;
  return [nonce === null ? null : confidential, ofLedger].filter((warning) => warning !== null);
}

export function issuerTitle({ evidence }: CertificateContent): string {
  return evidence.issuerKey === null ? 'Issuer, as stated' : 'Issuer, as stated and signed';
}

export const statementTitle = 'What this certificate states';

/** The statement in plain language, for courts and other readers without technical knowledge. */
export function statements(content: CertificateContent, isSigned: boolean): string[] {
  const { nonce, account, closeTimeIso, evidence } = content;
  const carried =
    nonce === null
      ? 'The SHA-256 of the file'
      : 'A commitment, computed from the SHA-256 of the file and a secret number (the nonce),';
  const recorded =
    evidence.issuerKey === null
      ? ''
      : 'The public log of the service records the SHA-256 of the whole PDF. ';
  return [
    'The SHA-256 of a file is a number of 64 hexadecimal digits, computed from every byte of it. Any change of the file gives another number. No two different files with the same SHA-256 are known.',
    `${carried} is part of a transaction, which the account ${account} signed. The ledger that contains this transaction closed on ${readableTime(closeTimeIso)}. So the file existed no later than then.`,
    ledgerStatement(content),
    'Not proven: who made the file, when it was made (it may be older), and whether its content is true. Names, description, classification, size, type, revision number, proof ID and time of issue are claims of the issuer, which the ledger does not confirm. Confirm the anchoring account with the issuer.',
    `${isSigned ? signed : 'This PDF has no digital signature.'} ${recorded}The proof does not depend on that.`,
  ];
}

const signed =
  'The digital signature on this PDF shows that the PDF was not changed since the issuing service signed it.';

function ledgerStatement({ network, standalone }: CertificateContent): string {
  if (standalone) {
    return 'Only the issuing service keeps this development ledger. It can change the ledger, so this certificate proves nothing to others.';
  }
  if (network === 'testnet') {
    return 'The test network is a public ledger for trials, kept by several organisations. Its operators can reset it, so this certificate is not meant as evidence.';
  }
  return 'The XRP Ledger is a public record that many independent organisations keep. Neither the issuer nor any other single organisation can change or backdate a transaction in it. Anybody with the file and this certificate can repeat the check, without the issuer.';
}

const salted = 'the ledger holds the commitment, not the SHA-256';
export const schemes: Readonly<Record<HashScheme, string>> = {
  'sha256-plain-v1': 'the ledger holds the SHA-256 itself',
  'hmac-sha256-nonce-v2': salted,
  'hmac-sha256-nonce-v3': salted,
};

/** Note below a value that is cut off. */
export const shortened = '(shortened; the issuing service has the full text)';
export const shortenedName = '(shortened; full text in proof-bundle.json)';
