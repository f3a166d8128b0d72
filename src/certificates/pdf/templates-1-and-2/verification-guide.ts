import { proofMemo } from '../../../domain/proof/memo.ts';
import type { CertificateContent } from '../../certificate-content.ts';
import type { Wording } from './wording/wording.ts';
import { wordingOf } from './wording/wording-of.ts';

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

export function verificationGuide(content: CertificateContent): GuideStep[] {
  const { nonce } = content;
  const { guide } = wordingOf(content);
  const commitment = nonce === null ? [] : [commitmentOf(nonce, guide)];
  return [hashOf(guide), ...commitment, onTheLedger(content, guide), allAtOnce(guide)];
}

const text = (words: string): GuidePart => ({ kind: 'text', text: words });
const code = (label: string, ...lines: string[]): GuidePart => ({ kind: 'code', label, lines });
const link = (label: string, url: string): GuidePart => ({ kind: 'link', label, url });

function hashOf({ hash }: Wording['guide']): GuideStep {
  return {
    title: hash.title,
    parts: [
      text(hash.text),
      code('Linux', 'sha256sum FILE'),
      code('macOS', 'shasum -a 256 FILE'),
      code('Windows PowerShell', '(Get-FileHash -LiteralPath FILE).Hash.ToLower()'),
    ],
  };
}

/**
 * LibreSSL, part of macOS, supports `-mac HMAC -macopt hexkey:` too. Windows PowerShell pipes text,
 * not bytes, and its .NET has no `FromHexString`. Unary `-split` and the cast make the bytes.
 */
function commitmentOf(nonce: string, { commitment }: Wording['guide']): GuideStep {
  return {
    title: 'Compute the commitment',
    parts: [
      text(commitment),
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

function onTheLedger(content: CertificateContent, { ledger }: Wording['guide']): GuideStep {
  const { network, standalone, transactionHash, publicApiUrl, explorerUrl } = content;
  const { title, labels } = ledger;
  const elsewhere = [
    link('Explorer', explorerUrl),
    code(
      labels.server,
      `curl -s ${publicServers[network]} -d '{"method": "tx", "params": [{"transaction":`,
      `"${transactionHash}"}]}'`,
    ),
  ];
  return {
    title,
    parts: [
      text(ledger.text(content)),
      code(labels.memo, ...memoLines(content)),
      link(labels.service, publicApiUrl),
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

function allAtOnce({ program }: Wording['guide']): GuideStep {
  return {
    title: program.title,
    parts: [
      text(program.text),
      code(
        'Proofmark verifier',
        'npm run --silent ops -- verify --certificate CERTIFICATE.pdf --file FILE',
      ),
    ],
  };
}
