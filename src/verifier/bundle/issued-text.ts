import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { bundleFormat } from './bundle.ts';

/** A bundle whose other members are all that the issuer signs. */
interface Signable {
  readonly commitment: object;
  readonly issuer?: unknown;
  readonly checksum?: unknown;
}

/**
 * The text that the issuer of a bundle signs: two lines, the format and the lower-case hex SHA-256
 * of the canonical JSON (RFC 8785) of the bundle without `issuer` and `checksum`, and with `nonce`
 * null. So the form for sharing has the same signature.
 */
export function issuedText(content: Signable): string {
  const { issuer: _, checksum: __, ...rest } = content;
  const text = canonicalize({ ...rest, commitment: { ...rest.commitment, nonce: null } });
  if (text === undefined) throw new Error('a bundle cannot be written as JSON');
  return `${bundleFormat}\n${bytesToHex(sha256(new TextEncoder().encode(text)))}\n`;
}
