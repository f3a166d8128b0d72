import type { SignedTransaction } from '../../domain/ledger/transaction.ts';

export interface CoveringOptions {
  /** Durably records the log position. No ledger after `lastLedger` can contain the transactions. */
  readonly cover: (lastLedger: number) => Promise<void>;
  readonly onCovered: (batch: readonly SignedTransaction[]) => void;
  /** Called with all transactions that wait: they are forgotten here. */
  readonly onFailed: (batch: readonly SignedTransaction[]) => void;
}

/** Signed transactions that must not be submitted until a mark on stable storage covers them. */
export class Covering {
  readonly #options: CoveringOptions;
  readonly #waiting: SignedTransaction[] = [];
  #turn: Promise<void> | null = null;
  /** Error of the last attempt; null if it succeeded. */
  #failure: Error | null = null;

  constructor(options: CoveringOptions) {
    this.#options = options;
  }

  add(signed: SignedTransaction): void {
    this.#waiting.push(signed);
  }

  /**
   * Covers all waiting transactions; those that arrive meanwhile form the next batch. The call does not
   * wait for that while covering succeeds. Rejects with the error of `cover` if the last attempt failed
   * and this one does too.
   */
  async start(): Promise<void> {
    if (this.#waiting.length === 0) return;
    this.#turn ??= this.#coverInTurn();
    // Sign nothing more while the last signed transactions cannot be submitted.
    if (this.#failure !== null) await this.#turn;
    if (this.#failure !== null) throw this.#failure;
  }

  async #coverInTurn(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      const last = batch.reduce((max, each) => Math.max(max, each.lastLedgerSequence), 0);
      try {
        await this.#options.cover(last);
        this.#failure = null;
        this.#options.onCovered(batch);
      } catch (error) {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        this.#options.onFailed([...batch, ...this.#waiting.splice(0)]);
      }
    }
    // Reset at once, so that new transactions start a new turn.
    this.#turn = null;
  }
}
