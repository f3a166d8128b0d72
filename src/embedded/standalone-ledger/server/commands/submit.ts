import { baseLevel } from '../../chain/fee-metrics.ts';
import type { LedgerNode } from '../../chain/ledger-node.ts';
import type { JsonObject } from '../../codec/json.ts';
import { MalformedTransaction } from '../../codec/malformed-transaction.ts';
import { parseTransaction, type Transaction } from '../../codec/parse-transaction.ts';
import { baseFeeOf } from '../../engine/fees.ts';
import { resultCode, resultMessage } from '../../engine/result.ts';
import type { Command } from '../command.ts';
import { flagOf } from '../request.ts';
import { RpcError } from '../rpc-error.ts';

export const submit: Command = ({ node, checks }, request) => {
  const { tx_blob: blob } = request.parameters;
  if (blob === undefined) throw new RpcError('notSupported');
  if (typeof blob !== 'string' || !/^([0-9a-f]{2})+$/i.test(blob))
    throw new RpcError('invalidParams');
  const transaction = parse(blob);
  const fault = checks.fault(transaction);
  if (fault !== undefined) throw invalid(`fails local checks: ${fault}`);
  const outcome = node.submit(transaction, flagOf(request, 'fail_hard'));
  return {
    accepted: outcome.accepted,
    account_sequence_available: outcome.availableSequence,
    account_sequence_next: outcome.nextSequence,
    applied: outcome.applied,
    broadcast: outcome.broadcast,
    engine_result: outcome.result,
    engine_result_code: resultCode(outcome.result),
    engine_result_message: resultMessage(outcome.result),
    kept: outcome.kept,
    open_ledger_cost: String(openLedgerCost(node, transaction, outcome.openLedgerLevel)),
    queued: outcome.queued,
    tx_blob: transaction.blob.toString('hex').toUpperCase(),
    tx_json: {
      ...transaction.json,
      hash: transaction.hash,
      ...(outcome.applied ? {} : knownLedger(node, transaction)),
    },
    validated_ledger_index: node.validated.header.ledgerIndex,
  };
};

/** Drops, rounded down as in rippled's `submit`, although `fee` rounds up. */
function openLedgerCost(node: LedgerNode, transaction: Transaction, level: bigint): bigint {
  return (level * baseFeeOf(node.open.view, transaction)) / baseLevel;
}

/** Shows the validated ledger of a transaction that is already in one. */
function knownLedger(node: LedgerNode, { hash }: Transaction): JsonObject {
  const stored = node.history.transactions.byHash(hash);
  if (stored === undefined) return {};
  return { inLedger: stored.ledgerIndex, ledger_index: stored.ledgerIndex };
}

function parse(blob: string): Transaction {
  try {
    return parseTransaction(blob.toUpperCase());
  } catch (error) {
    if (error instanceof MalformedTransaction) throw invalid(error.message);
    throw error;
  }
}

function invalid(message: string): RpcError {
  return new RpcError('invalidTransaction', { extra: { error_exception: message } });
}
