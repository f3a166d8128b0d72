import { ticketIndex } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { isBlocker, potentialSpend } from '../engine/consequences.ts';
import { accountReserve } from '../engine/fees.ts';
import type { AccountRoot } from '../engine/ledger-entry.ts';
import { preclaim } from '../engine/preclaim.ts';
import { preflight } from '../engine/preflight.ts';
import { isTec, type Result } from '../engine/result.ts';
import { readAccount, View, writeAccount } from '../engine/view.ts';
import type { AccountQueue, QueuedTransaction } from './account-queue.ts';
import { bySequence } from './canonical-order.ts';
import { clearAccountQueue } from './clear-account-queue.ts';
import { baseLevel } from './fee-metrics.ts';
import type { OpenLedger } from './open-ledger.ts';
import { feeLevelPaid, type TransactionQueue } from './transaction-queue.ts';

export interface Conditions {
  readonly networkId: number;
  readonly loadFactor: number;
  readonly failHard: boolean;
}

export interface Outcome {
  readonly result: Result;
  readonly applied: boolean;
}

const mostPerAccount = 10;
/** A queued transaction must be able to wait for at least this many ledgers. */
const ledgersToWait = 2;

const refuse = (result: Result): Outcome => ({ result, applied: false });

/**
 * Puts a transaction into the open ledger when it pays enough and is next in sequence, otherwise
 * into the queue, otherwise refuses it (rippled: TxQ::apply, step by step in its order).
 */
export function applyOrEnqueue(
  queue: TransactionQueue,
  open: OpenLedger,
  transaction: Transaction,
  conditions: Conditions,
): Outcome {
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
    const place = queueFault(accountQueue, account, transaction, open, conditions, replaced);
    if (place !== undefined) return refuse(place);
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
    const place = queueFault(accountQueue, account, transaction, open, conditions, replaced);
    if (place !== undefined) return refuse(place);
  }
  if (replaced !== undefined) queue.remove(replaced);
  else if (queue.isFull && !makeRoom(queue, account.Account, level))
    return refuse('telCAN_NOT_QUEUE_FULL');
  queue.add(transaction, level);
  return refuse('terQUEUED');
}

function replacementFault(
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

function sequenceFault(
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

/** Whether the transaction may wait here at all: expiry, room for the account, no gap before it. */
function queueFault(
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

/** The account as it would be once all its other queued transactions had taken what they may take. */
function trialView(
  view: View,
  account: AccountRoot,
  transaction: Transaction,
  queued: readonly QueuedTransaction[],
  accountQueue: AccountQueue,
): View | undefined {
  let fees = 0n;
  let spend = 0n;
  for (const [place, entry] of queued.entries()) {
    const isReplaced = bySequence(entry.transaction, transaction) === 0;
    if (isReplaced && place === queued.length - 1) continue;
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

/** Drops the last transaction of the account that pays least, if that is less than `level`. */
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
