import { ProofmarkError } from '../errors.ts';
import { isNode } from '../files/node.ts';
import type { FileSource } from '../hashing/file-source.ts';
import { hashFile } from '../hashing/hash-file.ts';
import { openSource } from '../hashing/open-source.ts';
import type {
  EvidenceKind,
  Findings,
  ReadBundle,
  Refused,
  TrustOptions,
  Verification,
} from './contract.ts';

export interface VerifyOptions extends TrustOptions {
  /** `certificate` for a PDF, `bundle` for JSON; by default the first bytes decide. */
  readonly kind?: EvidenceKind;
  /** A server of the XRP Ledger that you trust (`wss://…`); in Node. */
  readonly ledger?: string;
  /** Address of the service that issued the certificate, to compare the PDF with its log; in Node. */
  readonly server?: string;
  /** Certificates (PEM) that you trust for time-stamping authorities; in Node. */
  readonly timestampAuthorities?: string;
  readonly signal?: AbortSignal;
}

/**
 * Verifies that a file existed, unchanged, no later than a proof says. Asks nobody, unless `ledger` or
 * `server` names a server. The file is a source of bytes, or its SHA-256; without one (null), the
 * result is `notProvenYet` at best. The evidence is a certificate, a bundle, or the text of a bundle.
 * Resolves with `notProven` for a false proof. Rejects with EVIDENCE_NOT_USABLE if there is no usable
 * bundle, and with INVALID_OPTION for a malformed option.
 */
export async function verify(
  file: FileSource | { readonly hash: string } | null,
  evidence: FileSource,
  options: VerifyOptions = {},
): Promise<Verification> {
  const { kind = null, signal, ...trust } = options;
  const { verifier } = await import('./verifier.js');
  const read = usable(await verifier.read(await bytesOf(evidence), kind));
  const findings = await ask(read, options);
  const hash = await hashOf(file, signal);
  return usable(verifier.judge(read, hash, trust, findings));
}

async function hashOf(
  file: FileSource | { readonly hash: string } | null,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (file === null) return null;
  // An URL has a member of this name, too.
  if (typeof file === 'object' && 'hash' in file && !(file instanceof URL)) return file.hash;
  return (await hashFile(file, { signal })).hash;
}

/** A larger file contains no bundle. The verifier has smaller limits of its own. */
const maxEvidenceBytes = 16_777_216;

/** Text of a bundle begins with a brace; another string is a path. */
async function bytesOf(evidence: FileSource): Promise<Uint8Array> {
  if (typeof evidence === 'string' && /^\s*\{/.test(evidence)) {
    return new TextEncoder().encode(evidence);
  }
  const { chunks } = await openSource(evidence);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxEvidenceBytes) throw notUsable('the evidence is too large');
    parts.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

async function ask(
  read: ReadBundle,
  { ledger, server, timestampAuthorities: authorities, recorded }: VerifyOptions,
): Promise<Findings> {
  if (server !== undefined && recorded !== undefined) {
    throw new ProofmarkError('INVALID_OPTION', 'server, recorded: give only one of them');
  }
  const isOfPdf = server !== undefined || recorded !== undefined;
  if (isOfPdf && read.pdf === null) {
    throw new ProofmarkError('INVALID_OPTION', 'server, recorded: only a certificate has a record');
  }
  if (ledger === undefined && server === undefined && authorities === undefined) return {};
  if (!isNode) {
    const message = 'ledger, server, timestampAuthorities: only in Node';
    throw new ProofmarkError('INVALID_OPTION', message);
  }
  const { asking } = await import('./asking.js');
  return {
    ...(ledger !== undefined && { ledger: await asking.askLedger(ledger, read) }),
    ...(server !== undefined && { issued: await asking.askService(server, read) }),
    ...(authorities !== undefined && {
      timestamp: usable(await asking.checkToken(authorities, read)),
    }),
  };
}

function usable<Result>(found: Result | Refused): Result {
  if (typeof found !== 'object' || found === null || !('refused' in found)) return found as Result;
  const { refused, message } = found;
  throw refused === 'options' ? new ProofmarkError('INVALID_OPTION', message) : notUsable(message);
}

function notUsable(message: string): ProofmarkError {
  return new ProofmarkError('EVIDENCE_NOT_USABLE', message);
}
