import { ticketIndex } from '../codec/ledger-keys.ts';
import type { Transaction } from '../codec/parse-transaction.ts';
import { baseFeeOf, signerOf } from './fees.ts';
import { type AccountRoot, accountFlag, hasFlag } from './ledger-entry.ts';
import { preclaimPayment } from './payment.ts';
import type { Result } from './result.ts';
import { preclaimTicketCreate } from './ticket-create.ts';
import { type ReadView, readAccount } from './view.ts';

/** Conditions under which a transaction is applied. */
export interface ApplyContext {
  readonly ledgerIndex: number;
  /** The open ledger requires the current fee; a closed ledger accepts any fee. */
  readonly open: boolean;
  /** Factor on the base fee that the server requires because of load; at least 1. */
  readonly loadFactor: number;
  /** A `tec` result is retried in another pass instead of claiming the fee (rippled: tapRETRY). */
  readonly retry: boolean;
  readonly failHard: boolean;
  /** Forced result of the transaction; undefined leaves the result to the rules. */
  readonly verdict?: ((transaction: Transaction) => Result | undefined) | undefined;
}

/**
 * Checks against the ledger in rippled's order: sequence, expiry, fee, key, then the type's own.
 */
export function preclaim(view: ReadView, transaction: Transaction, context: ApplyContext): Result {
  const account = readAccount(view, transaction.account);
  if (account === undefined) return 'terNO_ACCOUNT';
  const fault =
    sequenceFault(view, account, transaction) ??
    expiryFault(transaction, context) ??
    feeFault(view, account, transaction, context) ??
    keyFault(account, transaction);
  if (fault !== undefined) return fault;
  if (transaction.type === 'Payment') return preclaimPayment(view, transaction);
  if (transaction.type === 'TicketCreate') return preclaimTicketCreate(account, transaction);
  return 'tesSUCCESS';
}

function sequenceFault(
  view: ReadView,
  account: AccountRoot,
  transaction: Transaction,
): Result | undefined {
  const { sequence, usesTicket } = transaction;
  if (!usesTicket) {
    if (transaction.json.TicketSequence !== undefined) return 'temSEQ_AND_TICKET';
    if (account.Sequence < sequence) return 'terPRE_SEQ';
    return account.Sequence > sequence ? 'tefPAST_SEQ' : undefined;
  }
  if (account.Sequence <= sequence) return 'terPRE_TICKET';
  const ticket = view.read(ticketIndex(transaction.account, sequence));
  return ticket === undefined ? 'tefNO_TICKET' : undefined;
}

function expiryFault(transaction: Transaction, context: ApplyContext): Result | undefined {
  if (transaction.json.AccountTxnID !== undefined) return 'tefWRONG_PRIOR'; // never enabled here
  const last = transaction.lastLedgerSequence;
  return last !== undefined && context.ledgerIndex > last ? 'tefMAX_LEDGER' : undefined;
}

function feeFault(
  view: ReadView,
  account: AccountRoot,
  transaction: Transaction,
  context: ApplyContext,
): Result | undefined {
  if (context.open) {
    const baseFee = Number(baseFeeOf(view, transaction));
    const due = BigInt(Math.ceil(baseFee * context.loadFactor));
    if (transaction.feeDrops < due) return 'telINSUF_FEE_P';
  }
  const balance = BigInt(account.Balance);
  if (balance >= transaction.feeDrops) return undefined;
  return balance > 0n && !context.open ? 'tecINSUFF_FEE' : 'terINSUF_FEE_B';
}

function keyFault(account: AccountRoot, transaction: Transaction): Result | undefined {
  const signer = signerOf(transaction);
  if (signer === account.RegularKey) return undefined;
  if (signer !== account.Account) return 'tefBAD_AUTH';
  return hasFlag(account.Flags, accountFlag.disableMasterKey) ? 'tefMASTER_DISABLED' : undefined;
}
