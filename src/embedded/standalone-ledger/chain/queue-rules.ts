import type { Transaction } from '../codec/parse-transaction.ts';
import { isBlocker, potentialSpend } from '../engine/consequences.ts';
import { accountReserve } from '../engine/fees.ts';
import type { AccountRoot } from '../engine/ledger-entry.ts';
import type { Result } from '../engine/result.ts';
import { View, writeAccount } from '../engine/view.ts';
import type { AccountQueue, QueuedTransaction } from './account-queue.ts';
import { bySequence } from './canonical-order.ts';
import type { OpenLedger } from './open-ledger.ts';

export interface Conditions {
  readonly networkId: number;
  readonly loadFactor: number;
  readonly failHard: boolean;
}

const mostPerAccount = 10;
/** Minimum number of ledgers for which a queued transaction must remain valid. */
const ledgersToWait = 2;

/** A blocker must be alone in its account's queue. A replacement must pay a quarter more. */
export function replacementFault(
  queued: readonly QueuedTransaction[],
  transaction: Transaction,
  replaced: QueuedTransaction | undefined,
  level: bigint,
): Result | undefined {
  const [first] = queued;
  if (first === undefined) return undefined;
  const replacesOnly = queued.length === 1 && bySequence(first.transaction, transaction) === 0;
  if (isBlocker(transaction) && !replacesOnly) return 'telCAN_NOT_QUEUE_BLOCKS';
  if (queued.length === 1 && isBlocker(first.transaction) && !replacesOnly) {
    return 'telCAN_NOT_QUEUE_BLOCKED';
  }
  if (replaced === undefined) return undefined;
  return level > (replaced.feeLevel * 125n) / 100n ? undefined : 'telCAN_NOT_QUEUE_FEE';
}

/** Refuses a used Sequence, or a gap before it that the queue cannot fill. */
export function sequenceFault(
  accountQueue: AccountQueue,
  account: AccountRoot,
  transaction: Transaction,
  queued: readonly QueuedTransaction[],
): Result | undefined {
  if (transaction.usesTicket) return undefined;
  if (transaction.sequence < account.Sequence) return 'tefPAST_SEQ';
  if (queued.length === 0)
    return transaction.sequence > account.Sequence ? 'terPRE_SEQ' : undefined;
  if (accountQueue.find(transaction) !== undefined) return undefined;
  const [first] = queued;
  const goesFirst = first !== undefined && bySequence(transaction, first.transaction) < 0;
  if (goesFirst) return transaction.sequence > account.Sequence ? 'terPRE_SEQ' : undefined;
  return undefined;
}

/** Checks if the transaction may be queued: expiry, room for the account, no gap before it. */
export function queueFault(
  accountQueue: AccountQueue,
  account: AccountRoot,
  transaction: Transaction,
  open: OpenLedger,
  conditions: Conditions,
  replaced: QueuedTransaction | undefined,
): Result | undefined {
  if (transaction.json.AccountTxnID !== undefined || conditions.failHard) return 'telCAN_NOT_QUEUE';
  const last = transaction.lastLedgerSequence;
  if (last !== undefined && last < open.ledgerIndex + ledgersToWait) return 'telCAN_NOT_QUEUE';
  if (replaced !== undefined) return undefined;
  const next = accountQueue.nextSequence(account.Sequence);
  const isNext = !transaction.usesTicket && transaction.sequence === next;
  if (accountQueue.entries.length >= mostPerAccount) {
    const fillsGap = accountQueue.entries.some(
      (entry) => !entry.transaction.usesTicket && entry.transaction.sequence > next,
    );
    if (!isNext || !fillsGap) return 'telCAN_NOT_QUEUE_FULL';
  }
  if (transaction.usesTicket || isNext || accountQueue.from(account.Sequence).length === 0)
    return undefined;
  return 'telCAN_NOT_QUEUE';
}

/** The account after the maximum spending of all its other queued transactions. */
export function trialView(
  view: View,
  account: AccountRoot,
  transaction: Transaction,
  queued: readonly QueuedTransaction[],
  accountQueue: AccountQueue,
): View | undefined {
  let fees = 0n;
  let spend = 0n;
  for (const [index, entry] of queued.entries()) {
    const isReplaced = bySequence(entry.transaction, transaction) === 0;
    if (isReplaced && index === queued.length - 1) continue;
    const counted = isReplaced ? transaction : entry.transaction;
    fees += counted.feeDrops;
    spend += potentialSpend(counted);
  }
  const balance = BigInt(account.Balance);
  const reserve = accountReserve(0);
  if (fees >= balance || fees >= reserve) return undefined;
  const spendable = balance > reserve ? balance - reserve : 0n;
  const trial = new View(view);
  writeAccount(trial, {
    ...account,
    Balance: String(balance - fees - (spend < spendable ? spend : spendable)),
    Sequence: transaction.usesTicket
      ? accountQueue.nextSequence(account.Sequence)
      : transaction.sequence,
  });
  return trial;
}
