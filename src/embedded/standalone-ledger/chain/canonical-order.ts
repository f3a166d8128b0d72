import { accountId } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { ShaMap } from '../codec/sha-map.ts';

/**
 * The order in which a ledger processes its transactions (rippled: CanonicalTXSet). First by
 * account xor-ed with the hash of the set, so that nobody can choose a good place. Then sequences
 * before tickets, lowest first; then by hash.
 */
export function canonicalOrder(transactions: Iterable<Transaction>): Transaction[] {
  const all = [...transactions];
  const salt = setHash(all);
  const keys = new Map(all.map((each) => [each, saltedAccount(each.account, salt)]));
  return all.sort((left, right) => {
    const byAccount = Buffer.compare(keys.get(left) ?? salt, keys.get(right) ?? salt);
    return byAccount || bySequence(left, right) || (left.hash < right.hash ? -1 : 1);
  });
}

/** Sequences before tickets, lowest first. */
export function bySequence(left: Transaction, right: Transaction): number {
  return Number(left.usesTicket) - Number(right.usesTicket) || left.sequence - right.sequence;
}

function setHash(transactions: readonly Transaction[]): Buffer {
  const tree = new ShaMap();
  for (const { hash } of transactions) {
    const id = Buffer.from(hash, 'hex');
    tree.put(id, id);
  }
  return tree.root();
}

function saltedAccount(address: string, salt: Buffer): Buffer {
  const key = Buffer.from(salt);
  const id = accountId(address);
  for (let at = 0; at < id.length; at += 1) key[at] = (key[at] ?? 0) ^ (id[at] ?? 0);
  return key;
}
