import { BadEvidence } from '../evidence/bad-evidence.ts';
import { decodeBase64 } from '../evidence/base64.ts';

/** Decodes standard base64 with padding (RFC 4648, section 4); null for any other text. */
export function canonicalBase64(text: string): Uint8Array | null {
  try {
    return decodeBase64(text, text.length, 'the text');
  } catch (error) {
    if (error instanceof BadEvidence) return null;
    throw error;
  }
}
