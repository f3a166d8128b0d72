import { proofMemo } from '../../../domain/proof/memo.ts';
import type { CertificateContent } from '../../certificate-content.ts';
import { pageAddress } from './verify-address.ts';

/** One way or step of the verification. `FILE` in a command stands for the path of the file. */
export interface GuideStep {
  readonly title: string;
  readonly parts: readonly GuidePart[];
}

export type GuidePart =
  | { readonly kind: 'text'; readonly text: string }
  /** Exact text to enter or to compare. */
  | { readonly kind: 'code'; readonly label: string; readonly lines: readonly string[] }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };

export const introduction =
  'You need the file and this certificate, but no account. Ways 2 and 3 do not depend on the issuing service.';

export function guideOf(content: CertificateContent): GuideStep[] {
  return [
    onThePage(content),
    ...withProgram(content),
    ...[hashStep, ...commitmentSteps(content), ledgerStep(content)].map(
      ({ title, parts }, index) => ({ title: `3${'abc'[index]} By hand: ${title}`, parts }),
    ),
  ];
}

const text = (words: string): GuidePart => ({ kind: 'text', text: words });
const code = (label: string, ...lines: string[]): GuidePart => ({ kind: 'code', label, lines });
const link = (label: string, url: string): GuidePart => ({ kind: 'link', label, url });

function onThePage(content: CertificateContent): GuideStep {
  return {
    title: '1 On the verification page',
    parts: [
      text(
        'Open the address, and add the file and this certificate. Your browser does not send them to anybody.',
      ),
      link('Address', pageAddress(content)),
    ],
  };
}

/** Empty only for a certificate without the address of the program, which no service issues. */
function withProgram({ verifier, account }: CertificateContent): GuideStep[] {
  if (verifier === null) return [];
  return [
    {
      title: '2 With verify.py, offline',
      parts: [
        text(
          'verify.py is one file, which needs Python 3.8 or newer and no network. Compare the SHA-256 of your copy with the one below, which was current at the time of issue. First confirm the account in the command with the issuer.',
        ),
        link('Download', verifier.url),
        code('SHA-256', verifier.sha256),
        code(
          'Command',
          `python3 verify.py --certificate CERTIFICATE.pdf --file FILE --account ${account}`,
        ),
      ],
    },
  ];
}

const hashStep: GuideStep = {
  title: 'compute the SHA-256 of the file',
  parts: [
    text(
      "Replace FILE with the file's path, in quotes if it has spaces. The result must equal the SHA-256 in this certificate.",
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
function commitmentSteps({ nonce }: CertificateContent): GuideStep[] {
  if (nonce === null) return [];
  return [
    {
      title: 'compute the commitment',
      parts: [
        text(
          'The commitment is an HMAC-SHA-256. Its key is the 32 bytes of the nonce, and its message is the 32 bytes of the SHA-256. The result must equal the commitment in this certificate.',
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
    },
  ];
}

/** JSON-RPC addresses of public servers. */
const publicServers: Readonly<Record<CertificateContent['network'], string>> = {
  mainnet: 'https://xrplcluster.com/',
  testnet: 'https://s.altnet.rippletest.net:51234/',
};

function ledgerStep(content: CertificateContent): GuideStep {
  const { network, standalone, transactionHash, publicApiUrl, explorerUrl } = content;
  const source = standalone
    ? 'Only the issuing service keeps this development ledger, so nobody else can confirm the transaction.'
    : 'Use a source that you trust: an explorer, a server of the XRP Ledger, or the issuing service.';
  const elsewhere = [
    link('Explorer', explorerUrl),
    code(
      'Ledger server (curl)',
      `curl -s ${publicServers[network]} -d '{"method": "tx", "params": [{"transaction":`,
      `"${transactionHash}"}]}'`,
    ),
  ];
  return {
    title: 'look up the transaction on the ledger',
    parts: [
      text(
        `${source} The transaction must be validated, with the result tesSUCCESS. Its account, ledger index and close time must be those in this certificate. Its memo data, which servers show in hexadecimal, must be:`,
      ),
      code('Memo data', ...memoLines(content)),
      ...(standalone ? [] : elsewhere),
      link('Issuing service', publicApiUrl),
    ],
  };
}

/** The exact text of the memo, broken after its commas. */
function memoLines(content: CertificateContent): string[] {
  const { fileHash, commitment, hashScheme, previousTransactionHash: previous } = content;
  const { data } = proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous });
  return data.split(/(?<=,)(?=")/);
}
