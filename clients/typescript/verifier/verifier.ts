import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { conclude } from '../../../ops/verifying/verification-in-words.ts';
import { checkBundle } from '../../../src/certificates/check-bundle.ts';
import type { LedgerFinding } from '../../../src/certificates/check-on-ledger.ts';
import type { TimestampFinding } from '../../../src/certificates/check-timestamp-authority.ts';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { decodeBundle } from '../../../src/verifier/bundle/decode-bundle.ts';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { maxBundleBytes, readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { checkIssued, type IssuedAnswer } from '../../../src/verifier/check/check-issued.ts';
import { isStatedByIssuer } from '../../../src/verifier/check/check-issuer.ts';
import { isSigned } from '../../../src/verifier/check/issuer-note.ts';
import type {
  EvidenceKind,
  Findings,
  ReadBundle,
  Refused,
  TrustOptions,
  Verification,
  Verifier,
} from '../src/verify/contract.ts';
import { type Known, readOptions, WrongOption } from './read-options.ts';

export const verifier: Verifier = {
  async read(bytes, kind) {
    try {
      return await readEvidence(bytes, kind ?? kindOf(bytes));
    } catch (error) {
      if (error instanceof NoBundle) return { refused: 'evidence', message: error.message };
      throw error;
    }
  },
  judge(read, fileHash, options, findings) {
    try {
      return judge(read, readOptions(fileHash, options), options, findings);
    } catch (error) {
      if (error instanceof WrongOption) return { refused: 'options', message: error.message };
      throw error;
    }
  },
};

async function readEvidence(bytes: Uint8Array, kind: EvidenceKind): Promise<ReadBundle | Refused> {
  if (kind === 'certificate') {
    const bundle = readBundle(await extractBundle(bytes));
    return { bundle, isPrinted: true, pdf: bytesToHex(sha256(bytes)) };
  }
  if (bytes.length > maxBundleBytes) {
    return { refused: 'evidence', message: `the bundle is larger than ${maxBundleBytes} bytes` };
  }
  return { bundle: readBundle(decodeBundle(bytes)), isPrinted: false, pdf: null };
}

/** Readers of PDF find the header in the first 1,024 bytes. */
function kindOf(bytes: Uint8Array): EvidenceKind {
  const begin = String.fromCharCode(...bytes.subarray(0, 1_024));
  return begin.includes('%PDF-') ? 'certificate' : 'bundle';
}

/** Values that cross this boundary as `unknown` were made by `read` and by the module `asking`. */
function judge(
  read: ReadBundle,
  known: Known,
  { recorded }: TrustOptions,
  { ledger, timestamp, issued }: Findings,
): Verification {
  const bundle = read.bundle as Bundle;
  const answer = recorded === undefined ? (issued as IssuedAnswer | undefined) : found(recorded);
  const checks = checkBundle(bundle, {
    ...known,
    ledger: (ledger as LedgerFinding | undefined) ?? { asked: false, why: unasked },
    ...(timestamp !== undefined && { timestamp: timestamp as TimestampFinding }),
    issued:
      answer === undefined || read.pdf === null
        ? null
        : checkIssued({ pdf: read.pdf, isSigned: isSigned(bundle) }, answer, known.logKeys ?? []),
    isPrinted: read.isPrinted,
  });
  const { proven, conclusion } = conclude(bundle, checks, { knowsLogKeys: known.logKeys !== null });
  const isFailed = checks.some(({ outcome }) => outcome === 'failed');
  return {
    result: proven ? 'proven' : isFailed ? 'notProven' : 'notProvenYet',
    ...{ proven, conclusion },
    statements: isStatedByIssuer(checks) ? 'statedByIssuer' : 'claimed',
    ...{ checks, file: { ...bundle.file }, anchor: { ...bundle.anchor } },
  };
}

const unasked = 'no ledger was asked: use --ledger to name a server that you trust';

/** The service's answer, or its `data` alone. */
function found(recorded: unknown): IssuedAnswer {
  const { code, data } = (recorded ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  if (typeof recorded !== 'object' || typeof code === 'string') {
    throw new WrongOption('recorded: it has no record of a certificate');
  }
  return { found: 'yes', record: data ?? recorded };
}
