/**
 * What public verification says of a transaction.
 *
 * @typedef {object} Verification
 * @property {string} transactionHash
 * @property {'mainnet' | 'testnet'} network
 * @property {boolean} standalone
 * @property {boolean} verified
 * @property {string} explorerUrl
 * @property {number} ledgerIndex
 * @property {string} ledgerCloseTime
 * @property {Record<string, unknown> | null} memo
 * @property {string} account
 * @property {string} [reason]
 * @property {string} [reasonCode]
 *
 * @typedef {{found: 'yes', data: Verification}
 *   | {found: 'no' | 'ledgerSilent' | 'unreachable'}
 *   | {found: 'limited', seconds: number}} Answer
 */

/** Longer than the service asks the ledger for. */
const timeoutMs = 30_000;

/**
 * Asks the service what the ledger has. Never rejects, but when `signal` is aborted.
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
    if (response.status === 404) return { found: 'no' };
    if (response.status === 502) return { found: 'ledgerSilent' };
    if (response.status === 429) {
      return { found: 'limited', seconds: Number(response.headers.get('Retry-After')) || 60 };
    }
    if (!response.ok) return { found: 'unreachable' };
    const { data } = await response.json();
    return data?.transactionHash === transactionHash
      ? { found: 'yes', data }
      : { found: 'unreachable' };
  } catch (error) {
    if (signal.aborted) throw error;
    return { found: 'unreachable' };
  }
}
