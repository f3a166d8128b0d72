import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

/** SHA-256 of the canonical JSON (RFC 8785) of a bundle without its checksum, lower-case hex. */
export function bundleChecksum(content: object & { readonly checksum?: string }): string {
  const { checksum: _, ...rest } = content;
  const text = canonicalize(rest);
  if (text === undefined) throw new Error('a bundle cannot be written as JSON');
  return bytesToHex(sha256(new TextEncoder().encode(text)));
}
