import { askService } from './ask-service.js';
import { readVerification } from './read-verification.js';

/** @import { Answer } from './verification.ts' */

/**
 * Asks the service for a transaction on the ledger. Rejects only if `signal` is aborted.
 *
 * @param {string} transactionHash
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export function askLedger(transactionHash, signal) {
  return askService(`api/public/verify/${transactionHash}`, {
    read: (body) => readVerification(body?.data, transactionHash),
    missing: /** @type {const} */ ({ TRANSACTION_NOT_FOUND: 'no', XRPL_ERROR: 'ledgerSilent' }),
    signal,
  });
}
