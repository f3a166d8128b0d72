import { decode } from 'ripple-binary-codec';
import type { StoredLedger } from '../chain/history.ts';
import type { StoredTransaction } from '../chain/stored-transaction.ts';
import type { JsonObject } from '../codec/json.ts';
import { isoTime } from '../codec/ripple-time.ts';

/** `tx_json` in the form of the API version: version 2 has DeliverMax instead of Amount. */
export function transactionJson(json: JsonObject, apiVersion: number): JsonObject {
  if (json.TransactionType !== 'Payment') return json;
  const { Amount, ...rest } = json;
  return apiVersion > 1 ? { ...rest, DeliverMax: Amount } : { ...json, DeliverMax: Amount };
}

/** Metadata with the delivered amount of a successful payment. */
export function metadataJson(metadata: JsonObject, json: JsonObject): JsonObject {
  const delivers =
    json.TransactionType === 'Payment' && metadata.TransactionResult === 'tesSUCCESS';
  return delivers ? { ...metadata, delivered_amount: json.Amount } : metadata;
}

/** A validated transaction in JSON, for the answers of `tx`, `account_tx` and `ledger`. */
export function decodeStored(stored: StoredTransaction, apiVersion: number) {
  const json: JsonObject = decode(stored.blob);
  return {
    json: transactionJson(json, apiVersion),
    metadata: metadataJson(readable(decode(stored.metadata)), json),
  };
}

/** Metadata in rippled's form: 64-bit numbers without the leading zeros that the codec writes. */
function readable(metadata: JsonObject): JsonObject {
  const text = JSON.stringify(metadata);
  return text.includes('"OwnerNode"')
    ? JSON.parse(text.replaceAll(/"OwnerNode":"0*([0-9A-F]+)"/g, '"OwnerNode":"$1"'))
    : metadata;
}

/** Fields of API version 2 about the ledger of a transaction. */
export function placeFields({ header, hash }: StoredLedger): JsonObject {
  return {
    close_time_iso: isoTime(header.closeTime),
    ledger_hash: hash,
    ledger_index: header.ledgerIndex,
  };
}

/** Compact transaction identifier: C, ledger index, transaction index, network id (XLS-37). */
export function ctid(
  ledgerIndex: number,
  transactionIndex: number,
  networkId: number,
): string | undefined {
  if (ledgerIndex > 0x0fffffff || transactionIndex > 0xffff || networkId > 0xffff) return undefined;
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return `C${hex(ledgerIndex, 7)}${hex(transactionIndex, 4)}${hex(networkId, 4)}`.toUpperCase();
}
