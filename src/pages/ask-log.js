import { askService } from './ask-service.js';
import { readLeaf, readList } from './read-log.js';

/** @import { ServiceAnswer } from './ask-service.js' */
/** @import { Leaf, List } from './read-log.js' */

/** @typedef {Exclude<LogAnswer<unknown>, {found: 'yes'}>} NoAnswer */

/**
 * @template Data
 * @typedef {ServiceAnswer<Data, 'absent' | 'pending'>} LogAnswer
 */

/**
 * Asks for a page of the published checkpoints, the newest first.
 * @param {{page: number, limit: number, anchored: boolean}} query
 * @returns {Promise<LogAnswer<List>>}
 */
export function askCheckpoints({ page, limit, anchored }) {
  return ask(`checkpoints?page=${page}&limit=${limit}&anchored=${anchored}`, readList);
}

/**
 * Asks for a leaf by its index, or for the one of a proof.
 * @param {{leafIndex: number} | {proofId: string}} wanted
 * @returns {Promise<LogAnswer<Leaf>>}
 */
export function askLeaf(wanted) {
  return ask(
    'proofId' in wanted ? `proofs/${wanted.proofId}` : `leaves/${wanted.leafIndex}`,
    readLeaf,
  );
}

/**
 * Asks for the record of a PDF by its SHA-256, lower-case hex. Nothing in the record is verified. Rejects
 * only if `signal` is aborted.
 *
 * @param {string} pdf
 * @param {AbortSignal} signal
 * @returns {Promise<LogAnswer<unknown>>}
 */
export function askIssued(pdf, signal) {
  const missing = /** @type {const} */ ({ CERTIFICATE_NOT_FOUND: 'absent', ...pending });
  const read = (/** @type {any} */ body) => body?.data ?? null;
  return askService(`log/certificates/${pdf}`, { read, missing, signal });
}

const pending = /** @type {const} */ ({ CHECKPOINT_PENDING: 'pending' });
const absent = /** @type {const} */ ({ NOT_FOUND: 'absent', PROOF_NOT_FOUND: 'absent' });

/**
 * @template Data
 * @param {string} path Below `/log/`.
 * @param {(body: any) => Data | null} read
 * @returns {Promise<LogAnswer<Data>>}
 */
function ask(path, read) {
  return askService(`log/${path}`, { read, missing: { ...absent, ...pending } });
}
