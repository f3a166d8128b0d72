import type { Transaction } from '../codec/parse-transaction.ts';
import { applyTransaction } from '../engine/apply-transaction.ts';
import type { ApplyContext } from '../engine/preclaim.ts';
import type { Result } from '../engine/result.ts';
import { View } from '../engine/view.ts';
import { type QueuedTransaction, retriesAllowed } from './account-queue.ts';
import { bySequence } from './canonical-order.ts';
import type { OpenLedger } from './open-ledger.ts';
import type { TransactionQueue } from './transaction-queue.ts';

/**
 * Moves a transaction and the queued ones before it into the open ledger together, if the sum of
 * their fee levels suffices. Returns the result. Returns undefined, with nothing changed, if the
 * sum is too low or one of them fails.
 */
export function clearAccountQueue(
  queue: TransactionQueue,
  open: OpenLedger,
  transaction: Transaction,
  queued: readonly QueuedTransaction[],
  level: bigint,
  context: ApplyContext,
): Result | undefined {
  if (queued[0]?.retriesLeft !== retriesAllowed) return undefined;
  const before = queued.filter((entry) => bySequence(entry.transaction, transaction) < 0);
  const paid = before.reduce((sum, entry) => sum + entry.feeLevel, level);
  const count = open.transactions.size + queue.pretended.open;
  if (paid < queue.metrics.requiredSeriesLevel(count, before.length + 1)) return undefined;
  const sandbox = new View(open.view);
  for (const { transaction: earlier } of before) {
    const { changes, result } = applyTransaction(sandbox, earlier, context);
    if (changes === undefined && result !== 'tefNO_TICKET') return undefined;
    changes?.mergeInto(sandbox);
  }
  const { changes, result } = applyTransaction(sandbox, transaction, context);
  if (changes === undefined) return undefined;
  changes.mergeInto(sandbox);
  sandbox.mergeInto(open.view);
  for (const entry of before) {
    open.transactions.set(entry.transaction.hash, entry.transaction);
    queue.remove(entry);
  }
  const replaced = queue.of(transaction.account).find(transaction);
  if (replaced !== undefined) queue.remove(replaced);
  open.transactions.set(transaction.hash, transaction);
  return result;
}
