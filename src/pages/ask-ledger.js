import { askService } from './ask-service.js';
import { readVerification } from './read-verification.js';

/** @import { ServiceAnswer } from './ask-service.js' */
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
 * @typedef {ServiceAnswer<Verification, 'no' | 'ledgerSilent'>} Answer
 */

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
