import { readPause, readText } from './read-answer.js';
import { readLeaf, readList } from './read-log.js';

/** @import { Leaf, List } from './read-log.js' */

/**
 * Reason why the service gave no data. `strange` is an unexpected response, for example from a proxy.
 *
 * @typedef {{found: 'absent' | 'pending' | 'unreachable' | 'strange'}
 *   | {found: 'limited' | 'paused', seconds: number}} NoAnswer
 */

/**
 * @template Data
 * @typedef {{found: 'yes', data: Data} | NoAnswer} LogAnswer
 */

/** Longer than the service needs for an answer. */
const timeoutMs = 30_000;

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
 * Asks for the record of a PDF by its SHA-256, lower-case hex. Nothing in the record is verified.
 * @param {string} pdf
 * @returns {Promise<LogAnswer<unknown>>}
 */
export function askIssued(pdf) {
  return ask(`certificates/${pdf}`, (body) => body?.data ?? null, ['CERTIFICATE_NOT_FOUND']);
}

/**
 * @template Data
 * @param {string} path Below `/log/`.
 * @param {(body: any) => Data | null} read
 * @param {readonly string[]} absent Codes of the service for what its log does not have.
 * @returns {Promise<LogAnswer<Data>>}
 */
async function ask(path, read, absent = ['NOT_FOUND', 'PROOF_NOT_FOUND']) {
  const url = new URL(`../log/${path}`, import.meta.url);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { signal, credentials: 'omit', redirect: 'error' });
    const seconds = readPause(response);
    if (response.status === 429) return { found: 'limited', seconds };
    if (response.status === 503) return { found: 'paused', seconds };
    const body = JSON.parse(await readText(response));
    const data = response.ok ? read(body) : null;
    if (data !== null) return { found: 'yes', data };
    if (absent.includes(body?.code)) return { found: 'absent' };
    if (body?.code === 'CHECKPOINT_PENDING') return { found: 'pending' };
    return { found: 'strange' };
  } catch (error) {
    return { found: error instanceof SyntaxError ? 'strange' : 'unreachable' };
  }
}
