import { closeTimeIso } from '../domain/ledger/close-time.ts';
import { readProofMemo } from '../domain/proof/memo.ts';

/** @import { Answer } from './verification.ts' */

/** Networks by their id (xrpl.org, "server_info"). */
const networks = /** @type {ReadonlyMap<unknown, 'mainnet' | 'testnet'>} */ (
  new Map([
    [0, 'mainnet'],
    [1, 'testnet'],
  ])
);

/**
 * Reads the answers of a ledger server to `server_info` and `tx`, of API version 1 or 2. `strange`
 * for a server of an unknown network, and for an answer of another form.
 *
 * @param {{info: any, found: any, transactionHash: string, server: string}} answered
 * @returns {Answer}
 */
export function readServerAnswer({ info, found, transactionHash, server }) {
  if (found?.status === 'error' || found?.error) {
    return { found: found.error === 'txnNotFound' ? 'no' : 'unreachable' };
  }
  const state = info?.result?.info;
  const standalone = String(state?.build_version ?? '').startsWith('proofmark');
  const network = standalone ? 'standalone' : networks.get(state?.network_id);
  const result = found?.result;
  const transaction = result?.tx_json ?? result;
  if (network === undefined || (result?.hash ?? transaction?.hash) !== transactionHash) {
    return { found: 'strange' };
  }
  if (result.validated !== true) return { found: 'no' };
  const ledgerIndex = result.ledger_index ?? transaction.ledger_index;
  const { date, Account: account, Memos: memos } = transaction;
  if (!isCount(date) || !isCount(ledgerIndex) || !/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(account)) {
    return { found: 'strange' };
  }
  const { memo, wellFormed } = readProofMemo(readMemos(memos));
  const isSuccess = result.meta?.TransactionResult === 'tesSUCCESS';
  const reasonCode = isSuccess ? 'MALFORMED_MEMO' : 'TRANSACTION_FAILED';
  const verified = isSuccess && wellFormed;
  return {
    found: 'yes',
    data: {
      ...{ transactionHash, network, standalone, verified, ledgerIndex, memo, account, server },
      ...(verified ? {} : { reasonCode }),
      explorerUrl: '',
      ledgerCloseTime: closeTimeIso(date),
    },
  };
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32;
}

/** @param {unknown} memos */
function readMemos(memos) {
  if (!Array.isArray(memos) || memos.length > 20) return [];
  return memos.map(({ Memo = {} }) => ({
    type: textOf(Memo.MemoType),
    format: textOf(Memo.MemoFormat),
    data: textOf(Memo.MemoData),
  }));
}

/**
 * Text of a field in hex; empty if it is malformed.
 * @param {unknown} hex
 */
function textOf(hex) {
  if (typeof hex !== 'string' || hex.length > 4_096 || !/^(?:[0-9A-F]{2})*$/i.test(hex)) return '';
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return new TextDecoder().decode(bytes);
}
