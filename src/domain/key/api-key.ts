import { createHash } from 'node:crypto';

/** `svc_live_`, 26 random characters and 6 of checksum, all of them alphanumeric. */
const apiKeyPrefix = 'svc_live_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 26;
const checksumLength = 6;
const form = /^svc_live_[0-9A-Za-z]{32}$/;

/** Number of random bytes for `formatApiKey`: more than it uses, since it drops biased ones. */
export const apiKeyRandomBytes = 64;

/**
 * Formats a key from random bytes (`apiKeyRandomBytes` of them). Skips bytes that would favour some
 * characters, so each character carries 5.95 bits.
 */
export function formatApiKey(random: Uint8Array): string {
  const unbiased = [...random].filter((byte) => byte < 248).slice(0, randomLength);
  if (unbiased.length < randomLength) throw new Error('too few random bytes for an API key');
  const secret = unbiased.map((byte) => alphabet.charAt(byte % 62)).join('');
  return `${apiKeyPrefix}${secret}${checksum(secret)}`;
}

/**
 * True if the text has the form of a key and a valid checksum, so that a mistyped key needs no
 * look-up.
 */
export function isWellFormedApiKey(text: string): boolean {
  if (!form.test(text)) return false;
  const body = text.slice(apiKeyPrefix.length);
  return checksum(body.slice(0, randomLength)) === body.slice(randomLength);
}

/** SHA-256 of the key, lower-case hex: the only form in which a key is stored. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** First characters of a key, by which people recognise it in a list. */
export function displayPrefix(key: string): string {
  return key.slice(0, apiKeyPrefix.length + 4);
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let i = 0; i < checksumLength; i += 1) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** CRC-32 (ISO 3309, reflected, polynomial 0xEDB88320) of the ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
