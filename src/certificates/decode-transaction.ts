import { decode, encode } from 'ripple-binary-codec';

/** A decoded transaction; what is in it is as untrusted as its bytes. */
export type Transaction = Readonly<Record<string, unknown>>;

/** The transaction of a blob in hex; null for bytes that are none, or not its one canonical form. */
export function decodeTransaction(blob: string): Transaction | null {
  try {
    const transaction = decode(blob) as Transaction;
    return encode(transaction) === blob ? transaction : null;
  } catch {
    return null;
  }
}
