import { encode } from 'ripple-binary-codec';
import { transactionLeafHash, upperHex } from '../codec/hashes.ts';
import type { JsonObject } from '../codec/json.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { ShaMap } from '../codec/sha-map.ts';
import { applyTransaction } from '../engine/apply-transaction.ts';
import { threadAndDescribe } from '../engine/metadata.ts';
import type { ApplyContext } from '../engine/preclaim.ts';
import { isTef, isTel, isTem, type Result } from '../engine/result.ts';
import { type ReadView, readAccount, View } from '../engine/view.ts';
import { canonicalOrder } from './canonical-order.ts';

/** A transaction in a closed ledger. */
export interface FinalTransaction {
  readonly transaction: Transaction;
  readonly result: Result;
  readonly metadata: JsonObject;
  readonly metadataBlob: Buffer;
}

export interface BuiltLedger {
  readonly view: View;
  readonly final: readonly FinalTransaction[];
  /** Transactions that could still apply in a later ledger. */
  readonly retriable: readonly Transaction[];
  readonly burnedDrops: bigint;
}

const totalPasses = 3;
const retryPasses = 1;

/**
 * Applies a set of checked transactions on top of the last ledger, as consensus would: in canonical
 * order and in passes. `tec` results are retried while passes still change something.
 */
export function buildLedger(
  base: ReadView,
  set: Iterable<Transaction>,
  ledgerIndex: number,
  verdict?: ApplyContext['verdict'],
): BuiltLedger {
  const view = new View(base);
  const final: FinalTransaction[] = [];
  let waiting = canonicalOrder(set);
  let burnedDrops = 0n;
  let retry = true;
  for (let pass = 0; pass < totalPasses; pass += 1) {
    const context = { ledgerIndex, open: false, loadFactor: 1, retry, failHard: false, verdict };
    const again: Transaction[] = [];
    let changes = 0;
    for (const transaction of waiting) {
      const applied = applyTransaction(view, transaction, context);
      if (applied.changes === undefined) {
        if (!isFinalRefusal(applied.result)) again.push(transaction);
        continue;
      }
      burnedDrops += feePaid(view, transaction);
      final.push(finish(applied.changes, transaction, applied.result, ledgerIndex, final.length));
      applied.changes.mergeInto(view);
      changes += 1;
    }
    waiting = again;
    if (changes === 0 && !retry) break;
    if (changes === 0 || pass >= retryPasses) retry = false;
  }
  return { view, final, retriable: waiting, burnedDrops };
}

function finish(
  changes: View,
  transaction: Transaction,
  result: Result,
  ledgerIndex: number,
  transactionIndex: number,
): FinalTransaction {
  const metadata = threadAndDescribe(changes, transaction, result, {
    ledgerIndex,
    transactionIndex,
  });
  return { transaction, result, metadata, metadataBlob: Buffer.from(encode(metadata), 'hex') };
}

function feePaid(view: View, { account, feeDrops }: Transaction): bigint {
  const balance = BigInt(readAccount(view, account)?.Balance ?? 0);
  return feeDrops < balance ? feeDrops : balance;
}

function isFinalRefusal(result: Result): boolean {
  return isTef(result) || isTem(result) || isTel(result);
}

/** A ledger's transaction_hash: the root over its transactions with their metadata. */
export function transactionTreeRoot(final: readonly FinalTransaction[]): string {
  const tree = new ShaMap();
  for (const { transaction, metadataBlob } of final) {
    const id = Buffer.from(transaction.hash, 'hex');
    tree.put(id, transactionLeafHash(transaction.blob, metadataBlob, id));
  }
  return upperHex(tree.root());
}
