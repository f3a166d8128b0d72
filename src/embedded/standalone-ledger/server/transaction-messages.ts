import type { FinalTransaction } from '../chain/build-ledger.ts';
import type { StoredLedger } from '../chain/history.ts';
import type { JsonObject } from '../codec/json.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { type Result, resultCode, resultMessage } from '../engine/result.ts';
import { metadataJson, placeFields, transactionJson } from './transaction-json.ts';

/** Stream message of a transaction that was just applied to the open ledger. */
export function proposedMessage(
  { json, hash }: Transaction,
  result: Result,
  ledgerIndex: number,
  apiVersion: number,
): JsonObject {
  const shown = transactionJson(json, apiVersion);
  return {
    ...resultFields(result),
    ledger_current_index: ledgerIndex,
    status: 'proposed',
    type: 'transaction',
    validated: false,
    ...(apiVersion > 1 ? { hash, tx_json: shown } : { transaction: { ...shown, hash } }),
  };
}

/** Stream message of a transaction in a validated ledger. */
export function validatedMessage(
  { transaction, result, metadata }: FinalTransaction,
  ledger: StoredLedger,
  apiVersion: number,
): JsonObject {
  const { json, hash } = transaction;
  const shown = { ...transactionJson(json, apiVersion), date: ledger.header.closeTime };
  return {
    ...resultFields(result),
    ledger_hash: ledger.hash,
    ledger_index: ledger.header.ledgerIndex,
    meta: metadataJson(metadata, json),
    status: 'closed',
    type: 'transaction',
    validated: true,
    ...(apiVersion > 1
      ? { ...placeFields(ledger), hash, tx_json: shown }
      : { transaction: { ...shown, hash } }),
  };
}

function resultFields(result: Result): JsonObject {
  return {
    engine_result: result,
    engine_result_code: resultCode(result),
    engine_result_message: resultMessage(result),
  };
}
