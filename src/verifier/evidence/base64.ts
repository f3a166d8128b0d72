import { BadEvidence } from './bad-evidence.ts';
import { maxBase64 } from './limits.ts';

/**
 * Decodes base64 with padding (RFC 4648, section 4). Throws `BadEvidence` for a longer result than
 * `maxBytes`, and for another text than `encodeBase64` writes.
 */
export function decodeBase64(text: string, maxBytes: number, what: string): Uint8Array {
  if (text.length > maxBase64(maxBytes)) {
    throw new BadEvidence('malformed', `${what} is larger than ${maxBytes} bytes`);
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw new BadEvidence('malformed', `${what} is not base64`);
  }
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  if (bytes.length > maxBytes || encodeBase64(bytes) !== text) {
    throw new BadEvidence('malformed', `${what} is not in the canonical form of base64`);
  }
  return bytes;
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunk) {
    binary += String.fromCharCode(...bytes.subarray(at, at + chunk));
  }
  return btoa(binary);
}

/** Engines limit the number of arguments of a call. */
const chunk = 8_192;
