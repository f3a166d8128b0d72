import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

/** The leaf of an event: SHA-256 of a zero byte and the event in canonical JSON (RFC 6962, RFC 8785). */
export function leafOf(event: object): Uint8Array {
  return sha256(concatBytes(Uint8Array.of(0), canonicalBytes(event)));
}

/** The value in canonical JSON (RFC 8785). */
export function canonicalBytes(value: object): Uint8Array {
  return new TextEncoder().encode(canonicalize(value) ?? '');
}
