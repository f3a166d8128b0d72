import type { SignedTransaction } from '../../domain/ledger/transaction.ts';

/** The last attempt to submit a transaction. */
interface Attempt {
  /** Newest validated ledger when the transaction was answered, or handed over. */
  readonly atLedger: number;
  readonly answer: string | null;
  /**
   * Newest validated ledger at the first answer that the open ledger did not take the transaction;
   * null if there is none.
   */
  readonly heldSince: number | null;
  /** Number of submissions so far. */
  readonly submissions: number;
}

/**
 * Number of validated ledgers without a transaction after which it is submitted again although the
 * server has it, or has not answered.
 */
const resendAfterLedgers = 2;
/** The same if newer ledgers are not read yet: reading may lag as long as a transaction lives. */
const resendUnreadAfterLedgers = 4;

/**
 * Maximum number of ledgers that a server may be ahead of those that it has reported. A later ledger was
 * invented: to count from it would put off the next submission until the transaction expires.
 */
export const maxAheadLedgers = 3;

/**
 * Results after which waiting suffices: the server has the transaction. rippled keeps transactions
 * with a `ter` result and tries them again itself (NetworkOPs::apply). A past Sequence was used by
 * a ledger that is not read yet.
 */
const provisional = /^(tes|tec|ter|tefPAST_SEQ|tefALREADY)/;

/** Stands for an answer that was lost. */
const lost = 'lost';
/** Results that the open ledger did not take the transaction: queued, held, or refused for now. */
const held = /^(ter|tel)/;

/** Attempts to submit transactions, by transaction hash, and the server's answers. */
export class Attempts {
  readonly #attempts = new Map<string, Attempt>();
  /**
   * Newest validated ledger when a transaction of unknown history was found, by hash. Lowered if that
   * ledger was invented; -Infinity if nobody has submitted the transaction.
   */
  readonly #found = new Map<string, number>();

  has(transactionHash: string): boolean {
    return this.#attempts.has(transactionHash);
  }

  /**
   * Notes a transaction that this process has not submitted, unless it is known. Another process may
   * just have submitted it, or this one before a restart.
   */
  find(transactionHash: string, newest: number): void {
    if (this.has(transactionHash)) return;
    const found = this.#found.get(transactionHash) ?? newest;
    this.#found.set(transactionHash, Math.min(found, newest));
  }

  /** Forgets the attempt to submit a transaction that no server got: it is due at once. */
  neverSubmitted(transactionHash: string): void {
    this.#attempts.delete(transactionHash);
    this.#found.set(transactionHash, Number.NEGATIVE_INFINITY);
  }

  /** Notes an attempt without an answer yet. */
  begin(transactionHash: string, atLedger: number): void {
    this.#found.delete(transactionHash);
    const { heldSince = null, submissions = 0 } = this.#attempts.get(transactionHash) ?? {};
    this.#attempts.set(transactionHash, { atLedger, answer: null, heldSince, submissions });
  }

  /** Notes a submission without an answer yet; returns the number of submissions before it. */
  submit(transactionHash: string, atLedger: number): number {
    const submissions = this.#attempts.get(transactionHash)?.submissions ?? 0;
    this.begin(transactionHash, atLedger);
    const begun = this.#attempts.get(transactionHash);
    if (begun) this.#attempts.set(transactionHash, { ...begun, submissions: submissions + 1 });
    return submissions;
  }

  /** Notes the result of the last attempt, unless it was forgotten. */
  answered(transactionHash: string, answer: string, atLedger: number): void {
    const known = this.#attempts.get(transactionHash);
    if (known === undefined) return;
    const heldSince = held.test(answer) ? (known.heldSince ?? atLedger) : null;
    this.#attempts.set(transactionHash, { ...known, atLedger, answer, heldSince });
  }

  /** Notes that no answer came: that says nothing about the transaction. */
  unanswered(transactionHash: string, atLedger: number): void {
    const known = this.#attempts.get(transactionHash);
    if (known !== undefined)
      this.#attempts.set(transactionHash, { ...known, atLedger, answer: lost });
  }

  /** Notes that the submission was withdrawn, so that it does not count. */
  withdrawn(transactionHash: string, atLedger: number): void {
    this.unanswered(transactionHash, atLedger);
    const known = this.#attempts.get(transactionHash);
    if (known === undefined) return;
    const submissions = Math.max(0, known.submissions - 1);
    this.#attempts.set(transactionHash, { ...known, submissions });
  }

  forget(transactionHash: string): void {
    this.#attempts.delete(transactionHash);
    this.#found.delete(transactionHash);
  }

  /** Forgets all others. */
  keepOnly(isKept: (transactionHash: string) => boolean): void {
    for (const hashes of [this.#attempts, this.#found])
      for (const hash of hashes.keys()) if (!isKept(hash)) this.forget(hash);
  }

  /**
   * Returns true if the server applied the transaction to an open ledger that has closed since: one
   * of the ledgers up to `tipIndex` contains it, as far as the server knows.
   */
  wasApplied(transactionHash: string, tipIndex: number): boolean {
    const attempt = this.#attempts.get(transactionHash);
    return attempt?.answer === 'tesSUCCESS' && attempt.atLedger < tipIndex;
  }

  /**
   * Returns true if no open ledger has taken the transaction since the one before `tipIndex`, as far
   * as the servers know. It has been held for some time if a server had invented the ledger of the answer.
   */
  isHeld(transactionHash: string, tipIndex: number): boolean {
    const since = this.#attempts.get(transactionHash)?.heldSince ?? null;
    return since !== null && (since < tipIndex || since > tipIndex + maxAheadLedgers);
  }

  /**
   * Returns true if the transaction should be submitted although it may have been before. It is in no
   * ledger up to `readTo`; `newest` is the newest validated one. One of unknown history may have been
   * answered just before it was found.
   */
  isDue(
    { transactionHash, minLedger }: SignedTransaction,
    { readTo, newest }: { readonly readTo: number; readonly newest: number },
  ): boolean {
    const last = this.#attempts.get(transactionHash);
    const isInvented = last !== undefined && last.atLedger > newest + maxAheadLedgers;
    const attempt = isInvented ? undefined : last;
    const found = this.#found.get(transactionHash) ?? Number.NEGATIVE_INFINITY;
    if (newest - found < resendAfterLedgers) return false;
    const unseen = readTo - (attempt?.atLedger ?? minLedger);
    // A ledger that is not read yet may contain the transaction.
    if (newest > readTo) return unseen >= resendUnreadAfterLedgers;
    if (attempt === undefined) return true;
    const isOpen = attempt.answer === null || provisional.test(attempt.answer);
    return unseen >= (isOpen ? resendAfterLedgers : 1);
  }
}
