import type { StoredLedger } from '../../chain/history.ts';
import type { LedgerNode } from '../../chain/ledger-node.ts';
import type { StoredTransaction } from '../../chain/stored-transaction.ts';
import { upperHex } from '../../codec/hashes.ts';
import type { JsonObject } from '../../codec/json.ts';
import { encodeHeader } from '../../codec/ledger-header.ts';
import { humanTime, isoTime } from '../../codec/ripple-time.ts';
import type { Command } from '../command.ts';
import { findLedger, ledgerFields } from '../find-ledger.ts';
import { flagOf, type Request } from '../request.ts';
import { decodeStored, placeFields, transactionJson } from '../transaction-json.ts';

export const ledger: Command = ({ node }, request) => {
  const choice = findLedger(node, request);
  const shown =
    choice.status === 'open'
      ? openLedger(node, request)
      : closedLedger(node, choice.ledger, request);
  return { ledger: shown, ...ledgerFields(node, choice) };
};

export const ledgerClosed: Command = ({ node }) => ({
  ledger_hash: node.validated.hash,
  ledger_index: node.validated.header.ledgerIndex,
});

export const ledgerCurrent: Command = ({ node }) => ({
  ledger_current_index: node.open.ledgerIndex,
});

function openLedger({ open }: LedgerNode, request: Request): JsonObject {
  const { apiVersion } = request;
  const all = [...open.transactions.values()];
  const expanded = ({ json, hash, blob }: (typeof all)[number]): JsonObject => {
    if (flagOf(request, 'binary')) return { hash, tx_blob: upperHex(blob) };
    const shown = transactionJson(json, apiVersion);
    return apiVersion > 1 ? { hash, tx_json: shown, validated: false } : { ...shown, hash };
  };
  const transactions = flagOf(request, 'expand') ? all.map(expanded) : all.map(({ hash }) => hash);
  return {
    closed: false,
    ledger_index: apiVersion > 1 ? open.ledgerIndex : String(open.ledgerIndex),
    parent_hash: open.parentHash,
    ...(flagOf(request, 'transactions') ? { transactions } : {}),
  };
}

function closedLedger(node: LedgerNode, stored: StoredLedger, request: Request): JsonObject {
  const isBinary = flagOf(request, 'binary');
  const shown: JsonObject = isBinary
    ? { closed: true, ledger_data: upperHex(encodeHeader(stored.header)) }
    : headerJson(stored, request.apiVersion);
  if (!flagOf(request, 'transactions')) return shown;
  const { ledgerIndex } = stored.header;
  if (!flagOf(request, 'expand')) {
    return { ...shown, transactions: node.history.transactions.hashesOfLedger(ledgerIndex) };
  }
  const transactions = node.history.transactions
    .ofLedger(ledgerIndex)
    .map((each) => (isBinary ? binary(each, request) : expanded(each, stored, request)));
  return { ...shown, transactions };
}

function headerJson({ header, hash }: StoredLedger, apiVersion: number): JsonObject {
  return {
    account_hash: header.accountHash,
    close_flags: header.closeFlags,
    close_time: header.closeTime,
    close_time_human: humanTime(header.closeTime),
    close_time_iso: isoTime(header.closeTime),
    close_time_resolution: header.closeTimeResolution,
    closed: true,
    ledger_hash: hash,
    ledger_index: apiVersion > 1 ? header.ledgerIndex : String(header.ledgerIndex),
    parent_close_time: header.parentCloseTime,
    parent_hash: header.parentHash,
    total_coins: String(header.totalDrops),
    transaction_hash: header.transactionHash,
  };
}

function binary({ hash, metadata, blob }: StoredTransaction, { apiVersion }: Request): JsonObject {
  return apiVersion > 1
    ? { hash, meta_blob: metadata, tx_blob: blob }
    : { meta: metadata, tx_blob: blob };
}

function expanded(
  each: StoredTransaction,
  stored: StoredLedger,
  { apiVersion }: Request,
): JsonObject {
  const { json, metadata } = decodeStored(each, apiVersion);
  if (apiVersion === 1) return { ...json, hash: each.hash, metaData: metadata };
  return {
    ...placeFields(stored),
    hash: each.hash,
    meta: metadata,
    tx_json: json,
    validated: true,
  };
}
