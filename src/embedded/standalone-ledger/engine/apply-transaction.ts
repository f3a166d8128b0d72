import type { Transaction } from '../codec/parse-transaction.ts';
import { applyAccountSet } from './account-set.ts';
import { applyPayment } from './payment.ts';
import { type ApplyContext, preclaim } from './preclaim.ts';
import { isTec, type Result } from './result.ts';
import { applySetRegularKey } from './set-regular-key.ts';
import { applyTicketCreate, consumeTicket } from './ticket-create.ts';
import { readAccount, View, writeAccount } from './view.ts';

export interface Applied {
  readonly result: Result;
  /** The changes, not merged yet, if the transaction claims its fee; otherwise undefined. */
  readonly changes: View | undefined;
}

/**
 * Applies one transaction after preflight and signature check. Does not change `view`: the caller
 * merges `changes`. A `tec` result keeps only the fee and the Sequence.
 */
export function applyTransaction(
  view: View,
  transaction: Transaction,
  context: ApplyContext,
): Applied {
  const claim = preclaim(view, transaction, context);
  if (claim !== 'tesSUCCESS' && !isTec(claim)) return { result: claim, changes: undefined };
  const sandbox = new View(view);
  const verdict = claim === 'tesSUCCESS' ? context.verdict?.(transaction) : claim;
  const result = verdict ?? applyChanges(sandbox, transaction, context);
  if (result === 'tesSUCCESS') return { result, changes: sandbox };
  if (!isTec(result) || context.retry || context.failHard) return { result, changes: undefined };
  const onlyFee = new View(view);
  payFee(onlyFee, transaction);
  return { result, changes: onlyFee };
}

function applyChanges(view: View, transaction: Transaction, context: ApplyContext): Result {
  const priorBalance = payFee(view, transaction);
  switch (transaction.type) {
    case 'AccountSet':
      return applyAccountSet(view, transaction);
    case 'Payment':
      return applyPayment(view, transaction, priorBalance, context.ledgerIndex);
    case 'SetRegularKey':
      return applySetRegularKey(view, transaction);
    case 'TicketCreate':
      return applyTicketCreate(view, transaction, priorBalance);
    default:
      return 'temDISABLED';
  }
}

/** Takes the fee (at most the balance) and the Sequence or ticket. Returns the prior balance. */
function payFee(view: View, transaction: Transaction): bigint {
  if (transaction.usesTicket) consumeTicket(view, transaction.account, transaction.sequence);
  const account = readAccount(view, transaction.account);
  if (account === undefined) throw new Error(`${transaction.account} vanished while applying`);
  const balance = BigInt(account.Balance);
  const fee = transaction.feeDrops < balance ? transaction.feeDrops : balance;
  writeAccount(view, {
    ...account,
    Balance: String(balance - fee),
    Sequence: transaction.usesTicket ? account.Sequence : account.Sequence + 1,
  });
  return balance;
}
