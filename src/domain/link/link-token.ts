import type { Digest } from '../proof/digest.ts';
import { digestOf } from '../proof/digest-of.ts';

/** Random bytes of a token: nobody can guess 256 bits. */
export const linkTokenBytes = 32;

/** The token of a link, for its URL: base64url, 43 characters. */
export function formatLinkToken(random: Buffer): string {
  return random.toString('base64url');
}

/** Hash by which the link of a token is found; null if the text cannot be a token. */
export function linkTokenHash(text: string): Digest | null {
  return /^[A-Za-z0-9_-]{43}$/.test(text) ? digestOf(Buffer.from(text)) : null;
}
