import type { Transaction } from '../codec/parse-transaction.ts';
import { isProcessed } from '../codec/transaction-format.ts';
import { preflightAccountSet } from './account-set.ts';
import { preflightPayment } from './payment.ts';
import type { Result } from './result.ts';
import { preflightSetRegularKey } from './set-regular-key.ts';
import { preflightTicketCreate } from './ticket-create.ts';

/** Networks up to this id forbid the NetworkID field; all others require it. */
const lastLegacyNetwork = 1024;
const universalFlags = 0x80000000;
const largestFee = 100_000_000_000_000_000n;

/** Checks that need no ledger (rippled: preflight0, preflight1 and each type's own). */
export function preflight(transaction: Transaction, networkId: number): Result {
  const { json } = transaction;
  const network = networkFault(json.NetworkID, networkId);
  if (network !== undefined) return network;
  if (transaction.feeDrops < 0n || transaction.feeDrops > largestFee) return 'temBAD_FEE';
  if (transaction.usesTicket && json.AccountTxnID !== undefined) return 'temINVALID';
  if (!isProcessed(transaction.type)) return 'temDISABLED';
  switch (transaction.type) {
    case 'AccountSet':
      return preflightAccountSet(transaction);
    case 'Payment':
      return preflightPayment(transaction);
    case 'SetRegularKey':
      return hasOtherFlags(transaction) ? 'temINVALID_FLAG' : preflightSetRegularKey(transaction);
    default:
      return hasOtherFlags(transaction) ? 'temINVALID_FLAG' : preflightTicketCreate(transaction);
  }
}

function networkFault(stated: unknown, networkId: number): Result | undefined {
  if (networkId <= lastLegacyNetwork) {
    return stated === undefined ? undefined : 'telNETWORK_ID_MAKES_TX_NON_CANONICAL';
  }
  if (stated === undefined) return 'telREQUIRES_NETWORK_ID';
  return stated === networkId ? undefined : 'telWRONG_NETWORK';
}

function hasOtherFlags(transaction: Transaction): boolean {
  return (transaction.flags & ~universalFlags) !== 0;
}
