import { ticketIndex } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { preclaim } from '../engine/preclaim.ts';
import { preflight } from '../engine/preflight.ts';
import { isTec, type Result } from '../engine/result.ts';
import { readAccount } from '../engine/view.ts';
import { clearAccountQueue } from './clear-account-queue.ts';
import { baseLevel } from './fee-metrics.ts';
import type { OpenLedger } from './open-ledger.ts';
import {
  type Conditions,
  queueFault,
  replacementFault,
  sequenceFault,
  trialView,
} from './queue-rules.ts';
import { feeLevelPaid, type TransactionQueue } from './transaction-queue.ts';

export interface EnqueueOutcome {
  readonly result: Result;
  readonly applied: boolean;
}

const refuse = (result: Result): EnqueueOutcome => ({ result, applied: false });

/**
 * Applies a transaction to the open ledger if it pays enough and is next in sequence; otherwise
 * queues or refuses it (rippled: TxQ::apply, step by step in its order).
 */
export function applyOrEnqueue(
  queue: TransactionQueue,
  open: OpenLedger,
  transaction: Transaction,
  conditions: Conditions,
): EnqueueOutcome {
  const flight = preflight(transaction, conditions.networkId);
  if (flight !== 'tesSUCCESS') return refuse(flight);
  const account = readAccount(open.view, transaction.account);
  if (account === undefined) return refuse('terNO_ACCOUNT');
  const context = open.context(conditions.loadFactor, conditions.failHard);
  const level = feeLevelPaid(open.view, transaction);
  const accountQueue = queue.of(account.Account);
  const replaced = accountQueue.find(transaction);
  const isNext = transaction.usesTicket || transaction.sequence === account.Sequence;
  if (isNext && level >= queue.requiredLevel(open)) {
    const { result, changes } = open.apply(transaction, context);
    if (changes !== undefined && replaced !== undefined) queue.remove(replaced);
    return { result, applied: changes !== undefined };
  }

  if (
    transaction.usesTicket &&
    open.view.read(ticketIndex(account.Account, transaction.sequence)) === undefined
  ) {
    return refuse(transaction.sequence < account.Sequence ? 'tefNO_TICKET' : 'terPRE_TICKET');
  }
  const queued = accountQueue.from(account.Sequence);
  const fault =
    replacementFault(queued, transaction, replaced, level) ??
    sequenceFault(accountQueue, account, transaction, queued);
  if (fault !== undefined) return refuse(fault);

  const amongOthers = queued.length > 1 || (queued.length === 1 && replaced === undefined);
  let view = open.view;
  if (amongOthers) {
    const fault = queueFault(accountQueue, account, transaction, open, conditions, replaced);
    if (fault !== undefined) return refuse(fault);
    const trial = trialView(open.view, account, transaction, queued, accountQueue);
    if (trial === undefined) return refuse('telCAN_NOT_QUEUE_BALANCE');
    view = trial;
  }
  const claim = preclaim(view, transaction, context);
  if (claim !== 'tesSUCCESS' && !isTec(claim)) return refuse(claim);
  const required = queue.requiredLevel(open);
  if (amongOthers && !transaction.usesTicket && level > required && required > baseLevel) {
    const cleared = clearAccountQueue(queue, open, transaction, queued, level, context);
    if (cleared !== undefined) return { result: cleared, applied: true };
  }
  if (!amongOthers) {
    const fault = queueFault(accountQueue, account, transaction, open, conditions, replaced);
    if (fault !== undefined) return refuse(fault);
  }
  if (replaced !== undefined) queue.remove(replaced);
  else if (queue.isFull && !makeRoom(queue, account.Account, level))
    return refuse('telCAN_NOT_QUEUE_FULL');
  queue.add(transaction, level);
  return refuse('terQUEUED');
}

/** Drops the last transaction of the account with the lowest level, if that is below `level`. */
function makeRoom(queue: TransactionQueue, account: string, level: bigint): boolean {
  if (queue.pretended.queued > 0) return false;
  const last = queue.byFee('').findLast((entry) => entry.transaction.account !== account);
  if (last === undefined) return false;
  const { entries } = queue.of(last.transaction.account);
  const total = entries.reduce((sum, entry) => sum + entry.feeLevel, 0n);
  const average = last.feeLevel > level ? last.feeLevel : total / BigInt(entries.length);
  const dropped = entries.at(-1);
  if (level <= average || dropped === undefined) return false;
  queue.remove(dropped);
  return true;
}
