import type { SignedTransaction } from '../../domain/ledger/transaction.ts';

/**
 * Number of further Sequences for which each account has a place in the open ledger. An account that
 * is not named has any number.
 */
export interface FreeSequences {
  readonly ledgerId: string;
  readonly byAccount: ReadonlyMap<string, number>;
}

/**
 * Signed transactions that wait for a place in an open ledger: of each account in turn, in the order of
 * Sequences. Those up to a Sequence that was submitted need no place: a replacement has that of the
 * transaction that it replaces, and submitted transactions wait for one with a lower Sequence.
 */
export class SignedAhead {
  /** By ledger and account. */
  readonly #accounts = new Map<string, Account>();
  #free: FreeSequences | null = null;

  /** Adds transactions of any accounts. */
  add(batch: readonly SignedTransaction[]): void {
    for (const signed of batch) {
      const account = this.#accountOf(signed);
      if (signed.sequence <= account.highestTaken) account.urgent.push(signed);
      else insert(account.waiting, signed);
    }
  }

  /** Replaces the places: those that `take` used since the last call count no more. */
  open(free: FreeSequences): void {
    this.#free = free;
    for (const account of this.#accounts.values()) account.used = 0;
  }

  /**
   * Removes and returns the transactions that have a place now, or need none. None of a ledger other than
   * the one that was opened; before the first, all.
   */
  take(): SignedTransaction[] {
    const taken: SignedTransaction[] = [];
    const free = this.#free;
    for (const account of this.#accounts.values()) {
      const { ledgerId, address, waiting, urgent } = account;
      if (free !== null && free.ledgerId !== ledgerId) continue;
      const places = free?.byAccount.get(address) ?? Number.POSITIVE_INFINITY;
      const next = waiting.splice(0, Math.max(0, Math.min(places - account.used, waiting.length)));
      account.used += next.length;
      account.highestTaken = Math.max(account.highestTaken, next.at(-1)?.sequence ?? 0);
      taken.push(...urgent.splice(0), ...next);
    }
    return taken;
  }

  /** Removes and returns the transactions that are not to be kept. */
  drop(isKept: (signed: SignedTransaction) => boolean): SignedTransaction[] {
    const dropped: SignedTransaction[] = [];
    for (const { waiting, urgent } of this.#accounts.values()) {
      for (const list of [waiting, urgent]) {
        dropped.push(...list.filter((signed) => !isKept(signed)));
        list.splice(0, list.length, ...list.filter(isKept));
      }
    }
    return dropped;
  }

  #accountOf({ ledgerId, account: address }: SignedTransaction): Account {
    const key = `${ledgerId} ${address}`;
    const known = this.#accounts.get(key);
    if (known !== undefined) return known;
    const account = { ledgerId, address, waiting: [], urgent: [], used: 0, highestTaken: 0 };
    this.#accounts.set(key, account);
    return account;
  }
}

interface Account {
  readonly ledgerId: string;
  readonly address: string;
  /** In the order of Sequences. */
  readonly waiting: SignedTransaction[];
  /** Transactions up to `highestTaken`: they need no place. */
  readonly urgent: SignedTransaction[];
  /** Number of places that it has used. */
  used: number;
  /** Highest Sequence that had a place; 0 before the first. */
  highestTaken: number;
}

/** Inserts in the order of Sequences; nearly always at the end. */
function insert(waiting: SignedTransaction[], signed: SignedTransaction): void {
  let at = waiting.length;
  while (at > 0 && (waiting[at - 1]?.sequence ?? 0) > signed.sequence) at -= 1;
  waiting.splice(at, 0, signed);
}
