import { readPause, readText } from './read-answer.js';
import { readVerification } from './read-verification.js';

/** @import { Validators } from './check-evidence.js' */

/**
 * Answer of public verification about a transaction.
 *
 * @typedef {object} Verification
 * @property {string} transactionHash
 * @property {'mainnet' | 'testnet' | 'standalone'} network
 * @property {boolean} standalone
 * @property {boolean} verified
 * @property {string} explorerUrl
 * @property {number} ledgerIndex
 * @property {string} ledgerCloseTime
 * @property {Record<string, unknown> | null} memo
 * @property {string} account
 * @property {string} [reason]
 * @property {string} [reasonCode]
 * @property {Validators | null} [validators] Set if signatures of the ledger's validators show the same.
 * @property {string} [server] Name of the ledger server that gave this answer, if the reader named one. Without
 *   validators and server the answer is the word of the service alone.
 * @property {boolean} [isOwn] False if the service did not say that the account is its own.
 *
 * @typedef {{found: 'yes', data: Verification}
 *   | {found: 'no' | 'ledgerSilent' | 'unreachable' | 'strange'}
 *   | {found: 'limited' | 'paused', seconds: number}} Answer
 *   `strange` is an unexpected response, for example from a proxy.
 */

/** Longer than the service's own timeout for the ledger. */
const timeoutMs = 30_000;

/**
 * Asks the service for a transaction on the ledger. Rejects only if `signal` is aborted.
 *
 * @param {string} transactionHash
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function askLedger(transactionHash, signal) {
  const url = new URL(`../api/public/verify/${transactionHash}`, import.meta.url);
  try {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, { signal: ends, credentials: 'omit', redirect: 'error' });
    const seconds = readPause(response);
    if (response.status === 429) return { found: 'limited', seconds };
    if (response.status === 503) return { found: 'paused', seconds };
    const body = JSON.parse(await readText(response));
    const data = response.ok ? readVerification(body?.data, transactionHash) : null;
    if (data !== null) return { found: 'yes', data };
    if (body?.code === 'TRANSACTION_NOT_FOUND') return { found: 'no' };
    if (body?.code === 'XRPL_ERROR') return { found: 'ledgerSilent' };
    return { found: 'strange' };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof SyntaxError) return { found: 'strange' };
    return { found: 'unreachable' };
  }
}
