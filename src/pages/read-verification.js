import { hashSchemes } from '../domain/proof/hash-scheme.ts';

/** @import { Verification } from './verification.ts' */

/**
 * Reads an answer of public verification. Returns null if the answer is about another transaction
 * or has an unknown form, because nothing may be concluded from it. Returns no other members: with those
 * for the word of validators, or of a named server, the service would vouch for itself.
 *
 * @param {any} data
 * @param {string} transactionHash
 * @returns {Verification | null}
 */
export function readVerification(data, transactionHash) {
  if (!isObject(data) || data.transactionHash !== transactionHash) return null;
  const isKnown = Object.entries(members).every(([name, isRight]) => isRight(data[name]));
  if (!isKnown || (data.verified && !isProofMemo(data.memo))) return null;
  const names = ['transactionHash', ...Object.keys(members)].filter((name) => name in data);
  return /** @type {any} */ (Object.fromEntries(names.map((name) => [name, data[name]])));
}

/** @typedef {(value: any) => boolean} Test */

/** @type {Test} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @type {(pattern: RegExp) => Test} */
const text = (pattern) => (value) => typeof value === 'string' && pattern.test(value);
/** @type {Test} */
const flag = (value) => typeof value === 'boolean';
/** @type {(test: Test) => Test} */
const optional = (test) => (value) => value === undefined || test(value);

const words = text(/^.{0,1000}$/s);
const hash = text(/^[a-f0-9]{64}$/);
/** @type {Test} */
const scheme = (value) => hashSchemes.includes(value);

/** @type {Record<string, Test>} */
const members = {
  network: text(/^(mainnet|testnet|standalone)$/),
  standalone: flag,
  verified: flag,
  explorerUrl: words,
  ledgerIndex: (value) => Number.isSafeInteger(value) && value >= 0,
  ledgerCloseTime: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/),
  memo: (value) => value === null || isObject(value),
  account: text(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/),
  reason: optional(words),
  reasonCode: optional(words),
};

/** @type {Test} */
const isProofMemo = (memo) => isObject(memo) && hash(memo.fileHash) && scheme(memo.hashScheme);
