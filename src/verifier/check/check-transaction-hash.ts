import type { Bundle } from '../bundle/bundle.ts';
import { type Check, check } from './check.ts';
import { ledgerHash } from './ledger-hash.ts';

/** Compares the hash of the signed transaction with the transaction hash stated in the bundle. */
export function checkTransactionHash({ anchor, evidence }: Bundle): Check {
  const hash = ledgerHash('transaction', evidence.blob);
  return check(
    'transaction hash',
    hash === anchor.transactionHash
      ? null
      : `the hash of the signed transaction is ${hash} instead of the stated ${anchor.transactionHash}`,
    `the hash of the signed transaction is ${hash}, as the bundle states`,
  );
}
