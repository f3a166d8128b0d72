import type { LedgerNode } from '../../chain/ledger-node.ts';
import type { LedgerRange } from '../../chain/ledger-ranges.ts';
import type { StoredTransaction } from '../../chain/stored-transaction.ts';
import { isJsonObject, type JsonObject } from '../../codec/json.ts';
import type { Command } from '../command.ts';
import { findLedger } from '../find-ledger.ts';
import { accountOf, flagOf, type Request, unsignedOf } from '../request.ts';
import { RpcError } from '../rpc-error.ts';
import { decodeStored, placeFields } from '../transaction-json.ts';

const pageLength = 200;

export const accountTx: Command = ({ node }, request) => {
  const account = accountOf(request);
  const range = rangeOf(node, request);
  const asked = unsignedOf(request, 'limit') ?? 0;
  const limit = asked > 0 && asked <= pageLength ? asked : pageLength;
  const found = node.history.transactions.ofAccount({
    account,
    ...range,
    forward: flagOf(request, 'forward'),
    limit: limit + 1,
    from: markerOf(request),
  });
  const next = found[limit];
  return {
    account,
    ledger_index_max: range.last,
    ledger_index_min: range.first,
    limit: asked,
    ...(next === undefined
      ? {}
      : { marker: { ledger: next.ledgerIndex, seq: next.transactionIndex } }),
    transactions: found.slice(0, limit).map((each) => entry(node, each, request)),
    validated: true,
  };
};

function rangeOf(node: LedgerNode, request: Request): LedgerRange {
  const {
    ledger_index_min: min,
    ledger_index_max: max,
    ledger_index,
    ledger_hash,
  } = request.parameters;
  const newest = node.validated.header.ledgerIndex;
  const oldest = node.history.firstLedger;
  if (ledger_index !== undefined || ledger_hash !== undefined) {
    const choice = findLedger(node, request);
    if (choice.status === 'open') throw new RpcError('lgrNotFound');
    const { ledgerIndex } = choice.ledger.header;
    return { first: ledgerIndex, last: ledgerIndex };
  }
  const first = isBound(min) ? min : 0;
  const last = isBound(max) ? max : Number.POSITIVE_INFINITY;
  const isOutside = (first > 0 && first < oldest) || (isBound(max) && last > newest);
  if (request.apiVersion > 1 && isOutside) throw new RpcError('lgrIdxMalformed');
  const range = { first: Math.max(first, oldest), last: Math.min(last, newest) };
  if (range.last < range.first) {
    throw new RpcError(request.apiVersion > 1 ? 'invalidLgrRange' : 'lgrIdxsInvalid');
  }
  return range;
}

function isBound(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function markerOf({ parameters }: Request): { ledger: number; seq: number } | undefined {
  const { marker } = parameters;
  if (marker === undefined) return undefined;
  if (!isJsonObject(marker) || !isBound(marker.ledger) || !isBound(marker.seq)) {
    throw new RpcError('invalidParams', {
      message:
        'invalid marker. Provide ledger index via ledger field, and transaction sequence number via seq field',
    });
  }
  return { ledger: marker.ledger, seq: marker.seq };
}

function entry(node: LedgerNode, stored: StoredTransaction, request: Request): JsonObject {
  const { apiVersion } = request;
  const { ledgerIndex, hash } = stored;
  if (flagOf(request, 'binary')) {
    const meta = apiVersion > 1 ? { meta_blob: stored.metadata } : { meta: stored.metadata };
    return { ledger_index: ledgerIndex, ...meta, tx_blob: stored.blob, validated: true };
  }
  const ledger = node.history.ledger(ledgerIndex);
  if (ledger === undefined) throw new RpcError('internal');
  const { json, metadata } = decodeStored(stored, apiVersion);
  const closed = { date: ledger.header.closeTime, ledger_index: ledgerIndex };
  if (apiVersion > 1) {
    const tx_json = { ...json, ...closed };
    return { ...placeFields(ledger), hash, meta: metadata, tx_json, validated: true };
  }
  return {
    meta: metadata,
    tx: { ...json, hash, ...closed, inLedger: ledgerIndex },
    validated: true,
  };
}
