import { decode } from 'ripple-binary-codec';

/** Result of one transaction in a validated ledger, from its binary metadata (hex). */
interface TransactionResult {
  /** `tesSUCCESS` or a `tec` code: no others get into a ledger. */
  readonly engineResult: string;
  readonly transactionIndex: number;
}

// sfTransactionIndex (UInt32, field 28) comes first in canonical order, sfTransactionResult
// (UInt8, field 3) last, and the byte of tesSUCCESS is 0 (xrpl.org, "Canonical Field Order").
const success = /^201C([0-9A-F]{8}).*031000$/s;

/** Reads the result. The frequent case, success, is read without decoding all metadata. */
export function readTransactionResult(metadata: string): TransactionResult {
  const quick = success.exec(metadata);
  if (quick?.[1]) {
    return { engineResult: 'tesSUCCESS', transactionIndex: Number.parseInt(quick[1], 16) };
  }
  const { TransactionResult, TransactionIndex } = decode(metadata) as {
    TransactionResult: string;
    TransactionIndex: number;
  };
  return { engineResult: TransactionResult, transactionIndex: TransactionIndex };
}
