import { decode } from 'ripple-binary-codec';
import type { LedgerNode } from '../../chain/ledger-node.ts';
import type { StoredTransaction } from '../../chain/stored-transaction.ts';
import type { JsonObject } from '../../codec/json.ts';
import type { Command } from '../command.ts';
import { flagOf, type Request } from '../request.ts';
import { RpcError } from '../rpc-error.ts';
import { ctid, decodeStored, placeFields, transactionJson } from '../transaction-json.ts';

const longestRange = 1000;

export const tx: Command = ({ node }, request) => {
  const { transaction, ctid: id } = request.parameters;
  const range = rangeOf(request);
  if ((transaction === undefined) === (id === undefined)) throw new RpcError('invalidParams');
  const stored = id === undefined ? byHash(node, transaction) : byCtid(node, id);
  if (stored !== undefined) return validatedAnswer(node, stored, request);
  const blob = id === undefined ? node.seen.blob(String(transaction).toUpperCase()) : undefined;
  if (blob !== undefined) return seenAnswer(blob, String(transaction).toUpperCase(), request);
  const searched = range === undefined ? {} : { searched_all: node.history.hasRange(range) };
  throw new RpcError('txnNotFound', { extra: searched });
};

/** Both bounds or none; at most 1,000 ledgers. */
function rangeOf({ parameters }: Request): { first: number; last: number } | undefined {
  const { min_ledger: first, max_ledger: last } = parameters;
  if (first === undefined || last === undefined) return undefined;
  if (!isIndex(first) || !isIndex(last) || last < first) throw new RpcError('invalidLgrRange');
  if (last - first > longestRange) throw new RpcError('excessiveLgrRange');
  return { first, last };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function byHash(node: LedgerNode, hash: unknown): StoredTransaction | undefined {
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/i.test(hash)) throw new RpcError('notImpl');
  return node.history.transactions.byHash(hash);
}

function byCtid(node: LedgerNode, id: unknown): StoredTransaction | undefined {
  const parts =
    typeof id === 'string' ? /^C([0-9A-F]{7})([0-9A-F]{4})([0-9A-F]{4})$/i.exec(id) : null;
  if (parts === null) throw new RpcError('invalidParams');
  const [ledgerIndex = 0, index = 0, networkId] = parts
    .slice(1)
    .map((hex) => Number.parseInt(hex, 16));
  if (networkId !== node.options.networkId) {
    throw new RpcError('wrongNetwork', {
      message: `Wrong network. You should submit this request to a node running on NetworkID: ${networkId}`,
    });
  }
  return node.history.transactions.at(ledgerIndex, index);
}

function validatedAnswer(
  node: LedgerNode,
  stored: StoredTransaction,
  request: Request,
): JsonObject {
  const ledger = node.history.ledger(stored.ledgerIndex);
  if (ledger === undefined) throw new RpcError('txnNotFound');
  const { apiVersion } = request;
  const { hash, ledgerIndex, transactionIndex } = stored;
  const id = ctid(ledgerIndex, transactionIndex, node.options.networkId);
  const common = { ...(id === undefined ? {} : { ctid: id }), hash, validated: true };
  const date = ledger.header.closeTime;
  if (flagOf(request, 'binary')) {
    return apiVersion > 1
      ? { ...common, ...placeFields(ledger), tx_blob: stored.blob, meta_blob: stored.metadata }
      : { ...common, date, ...oldIndexFields(ledgerIndex), tx: stored.blob, meta: stored.metadata };
  }
  const { json, metadata } = decodeStored(stored, apiVersion);
  if (apiVersion > 1) {
    const tx_json = { ...json, date, ledger_index: ledgerIndex };
    return { ...common, ...placeFields(ledger), meta: metadata, tx_json };
  }
  return { ...json, ...common, date, ...oldIndexFields(ledgerIndex), meta: metadata };
}

/** A transaction that was submitted here and is not in a validated ledger (yet). */
function seenAnswer(blob: Buffer, hash: string, request: Request): JsonObject {
  const { apiVersion } = request;
  const hex = blob.toString('hex').toUpperCase();
  const common = { hash, validated: false };
  if (flagOf(request, 'binary'))
    return { ...common, ...(apiVersion > 1 ? { tx_blob: hex } : { tx: hex }) };
  const json = transactionJson(decode(hex), apiVersion);
  return apiVersion > 1 ? { ...common, tx_json: json } : { ...json, ...common };
}

function oldIndexFields(ledgerIndex: number): JsonObject {
  return { inLedger: ledgerIndex, ledger_index: ledgerIndex };
}
