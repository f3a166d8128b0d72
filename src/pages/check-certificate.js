import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { commitmentOf } from './commitment-of.js';
import { fromHex, toHex } from './hexadecimal.js';

/** @import { Certificate } from './read-bundle.js' */

/**
 * Whether the parts of a bundle fit together, by the rules of src/certificates/bundle-format.md. That
 * they do proves nothing yet; that they do not shows that it was changed. Left to `ops verify` are
 * signature, metadata and the place in the issuer's log.
 *
 * @param {Certificate} certificate
 * @param {object} value The JSON that it was read from.
 * @returns {boolean}
 */
export function isConsistent(certificate, value) {
  return (
    hasChecksum(certificate, value) &&
    hasCommitment(certificate) &&
    hasMemo(certificate) &&
    hasTransaction(certificate) &&
    hasLedger(certificate)
  );
}

/**
 * @param {Certificate} certificate
 * @param {object} value
 */
function hasChecksum({ checksum }, value) {
  const { checksum: _, ...content } = /** @type {Record<string, unknown>} */ (value);
  try {
    return toHex(sha256(new TextEncoder().encode(canonical(content)))) === checksum;
  } catch (error) {
    // Nested so deeply that the stack is exhausted; a bundle is not.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * JSON with members sorted and without spaces (RFC 8785).
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join()}}`;
}

/** @param {Certificate} certificate */
function hasCommitment({ nonce, fileHash, commitment }) {
  return nonce === null || commitmentOf(nonce, fileHash) === commitment;
}

/** @param {Certificate} certificate */
function hasMemo({ memo, commitment, fileHash, hashScheme, previous }) {
  const stated = { fileHash: commitment ?? fileHash, hashScheme };
  return memo === JSON.stringify(previous === null ? stated : { ...stated, previous });
}

/** @param {Certificate} certificate */
function hasTransaction({ blob, memo, transactionHash }) {
  const data = toHex(new TextEncoder().encode(memo)).toUpperCase();
  return blob.includes(data) && ledgerHash('54584E00', blob) === transactionHash;
}

/** Where a ledger header has its close time, in hexadecimal digits. */
const closeTimeAt = 2 * 112;
const year2000 = Date.UTC(2000, 0, 1);

/** @param {Certificate} certificate */
function hasLedger({ ledgerHeader, ledgerHash: hash, ledgerIndex, closeTime, closeTimeIso }) {
  return (
    ledgerHash('4C575200', ledgerHeader) === hash &&
    Number.parseInt(ledgerHeader.slice(0, 8), 16) === ledgerIndex &&
    Number.parseInt(ledgerHeader.slice(closeTimeAt, closeTimeAt + 8), 16) === closeTime &&
    new Date(year2000 + closeTime * 1_000).toISOString() === closeTimeIso
  );
}

/**
 * As the ledger hashes: the first half of SHA-512.
 * @param {string} prefix
 * @param {string} bytes
 */
function ledgerHash(prefix, bytes) {
  return toHex(sha512(fromHex(prefix + bytes)).subarray(0, 32)).toUpperCase();
}
