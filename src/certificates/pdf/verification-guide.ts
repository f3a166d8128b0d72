import { proofMemo } from '../../domain/proof/memo.ts';
import type { CertificateContent } from '../certificate-content.ts';

/** One step of the verification. `FILE` in a command stands for the path of the file. */
export interface GuideStep {
  readonly title: string;
  readonly parts: readonly GuidePart[];
}

export type GuidePart =
  | { readonly kind: 'text'; readonly text: string }
  /** Exact text to enter or to compare. */
  | { readonly kind: 'code'; readonly label: string; readonly lines: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };

export const attachmentName = 'proof-bundle.json';

export function verificationGuide(content: CertificateContent): GuideStep[] {
  const { nonce } = content;
  const commitment = nonce === null ? [] : [commitmentOf(nonce)];
  return [fingerprint, ...commitment, onTheLedger(content), allAtOnce];
}

const text = (words: string): GuidePart => ({ kind: 'text', text: words });
const code = (label: string, ...lines: string[]): GuidePart => ({ kind: 'code', label, lines });
const link = (label: string, url: string): GuidePart => ({ kind: 'link', label, url });

const fingerprint: GuideStep = {
  title: 'Fingerprint the file',
  parts: [
    text(
      'Put the path of your copy, in quotes if it has blanks, in place of FILE. The result must be the SHA-256 above.',
    ),
    code('Linux', 'sha256sum FILE'),
    code('macOS', 'shasum -a 256 FILE'),
    code('Windows PowerShell', '(Get-FileHash -LiteralPath FILE).Hash.ToLower()'),
  ],
};

/**
 * LibreSSL, part of macOS, supports `-mac HMAC -macopt hexkey:` too. Windows PowerShell pipes text,
 * not bytes, and its .NET has no `FromHexString`. Unary `-split` and the cast make the bytes.
 */
function commitmentOf(nonce: string): GuideStep {
  return {
    title: 'Compute the commitment',
    parts: [
      text(
        'It is the HMAC-SHA-256 of the 32 bytes of the SHA-256, keyed with the bytes of the nonce. The result must be the commitment above.',
      ),
      code(
        'Linux, macOS',
        'openssl dgst -sha256 -binary FILE |',
        `openssl dgst -sha256 -mac HMAC -macopt hexkey:${nonce}`,
      ),
      code(
        'Windows PowerShell',
        `$nonce = '${nonce}'`,
        "$key = [byte[]] -split ($nonce -replace '..', '0x$& ')",
        "$digest = [byte[]] -split ((Get-FileHash -LiteralPath FILE).Hash -replace '..', '0x$& ')",
        '$hmac = [Security.Cryptography.HMACSHA256]::new($key)',
        "-join ($hmac.ComputeHash($digest) | ForEach-Object { $_.ToString('x2') })",
      ),
    ],
  };
}

/** JSON-RPC addresses of public servers. */
const publicServers: Readonly<Record<CertificateContent['network'], string>> = {
  mainnet: 'https://xrplcluster.com/',
  testnet: 'https://s.altnet.rippletest.net:51234/',
};

function onTheLedger(content: CertificateContent): GuideStep {
  const { network, standalone, transactionHash, publicApiUrl, explorerUrl, account } = content;
  const whom = standalone
    ? 'Only the service itself keeps this ledger: ask its public endpoint.'
    : 'Ask whom you trust: an explorer, a server of the network, or the public endpoint of the service.';
  const elsewhere = [
    link('Explorer', explorerUrl),
    code(
      'A server, by curl',
      `curl -s ${publicServers[network]} -d '{"method": "tx", "params": [{"transaction":`,
      `"${transactionHash}"}]}'`,
    ),
  ];
  return {
    title: 'Find it on the ledger',
    parts: [
      text(
        `${whom} The transaction must be validated with the result tesSUCCESS, in the ledger named above, and sent by ${account}. Its memo, which servers show in hexadecimal, must say:`,
      ),
      code('Memo', ...memoLines(content)),
      link('Public endpoint', publicApiUrl),
      ...(standalone ? [] : elsewhere),
    ],
  };
}

/** The exact text of the memo, broken after its commas. */
function memoLines(content: CertificateContent): string[] {
  const { fileHash, commitment, hashScheme, previousTransactionHash: previous } = content;
  const { data } = proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous });
  return data.split(/(?<=,)(?=")/);
}

const allAtOnce: GuideStep = {
  title: 'Or check everything at once',
  parts: [
    text(
      `${attachmentName}, attached to this document, holds all of the above, the signed transaction and the ledger header for programs. The verifier of Proofmark checks file, commitment, signature and transaction without asking anybody; with --ledger it asks a server of your choice as well.`,
    ),
    code(
      'Proofmark verifier',
      'npm run --silent ops -- verify --certificate CERTIFICATE.pdf --file FILE',
    ),
  ],
};
