import { lengthPrefix } from '../../../src/domain/ledger/length-prefix.ts';
import { sha512Half } from '../../../src/ledger/sha512-half.ts';

/**
 * Hash of a transaction's leaf in the tree of its ledger, in lower-case hex, as `leafHash` of the
 * verifier, by OpenSSL.
 * @param blob in hex, as the metadata
 */
export function treeLeaf(blob: string, metadata: string): string {
  const [transaction, meta] = [Buffer.from(blob, 'hex'), Buffer.from(metadata, 'hex')];
  const parts = [...sized(transaction), ...sized(meta), sha512Half('transaction', transaction)];
  return sha512Half('transactionWithMetadata', ...parts).toString('hex');
}

function sized(bytes: Uint8Array): readonly Uint8Array[] {
  return [lengthPrefix(bytes.length), bytes];
}
