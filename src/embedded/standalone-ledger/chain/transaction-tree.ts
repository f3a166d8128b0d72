import { transactionLeafHash, upperHex } from '../codec/hashes.ts';
import { ShaMap } from '../codec/sha-map.ts';
import type { FinalTransaction } from './build-ledger.ts';

/** A ledger's transaction_hash: root over its transactions with their metadata. */
export function transactionTreeRoot(final: readonly FinalTransaction[]): string {
  const tree = new ShaMap();
  for (const { transaction, metadataBlob } of final) {
    const id = Buffer.from(transaction.hash, 'hex');
    tree.put(id, transactionLeafHash(transaction.blob, metadataBlob, id));
  }
  return upperHex(tree.root());
}
