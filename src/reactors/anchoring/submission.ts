import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerGateway, SubmitAnswer } from '../../ledger/contract.ts';
import type { Outstanding } from './outstanding.ts';

export interface SubmissionOptions {
  /**
   * Awaited before transactions are submitted for the first time: durably records the log position,
   * so that a rollback is detectable. No ledger after `lastLedger` can contain the transactions.
   */
  readonly cover?: ((lastLedger: number) => Promise<void>) | undefined;
  readonly onAnswer?: (signed: SignedTransaction, answer: SubmitAnswer) => void;
}

interface Sent {
  readonly atLedger: number;
  readonly answer: string | null;
}

/** Number of validated ledgers after which an unseen transaction is submitted again. */
const resendAfterLedgers = 2;
const maxInFlight = 64;
/** Maximum waiting time in the queue. A later submission may miss the transaction's last ledger. */
const aheadSeconds = 4;

/** Results after which waiting suffices: the server has the transaction. */
const provisional = /^(tes|tec|terQUEUED)/;

/**
 * Submits signed transactions to the ledger, and again until a validated ledger contains them.
 * Results decide only the time of the next attempt. The fate of a transaction comes from validated
 * ledgers alone.
 */
export class Submission {
  readonly #gateway: Pick<LedgerGateway, 'submit' | 'submissionsPerSecond'>;
  readonly #options: SubmissionOptions;
  readonly #sent = new Map<string, Sent>();
  /** Transactions that must not be submitted until a mark on stable storage covers them. */
  readonly #uncovered: { signed: SignedTransaction; atLedger: number }[] = [];
  readonly #queue: { signed: SignedTransaction; atLedger: number }[] = [];
  readonly #queued = new Set<string>();
  #inFlight = 0;
  #covering: Promise<void> | null = null;
  /** Error of the last attempt to cover transactions; null if it succeeded. */
  #failure: Error | null = null;
  #tipIndex = 0;

  constructor(
    gateway: Pick<LedgerGateway, 'submit' | 'submissionsPerSecond'>,
    options: SubmissionOptions = {},
  ) {
    this.#gateway = gateway;
    this.#options = options;
  }

  /**
   * Number of transactions that can still be submitted in time, at the rate that servers accept.
   */
  get room(): number {
    const bearable = this.#gateway.submissionsPerSecond() * aheadSeconds;
    return Math.max(
      0,
      Math.floor(bearable) - this.#queue.length - this.#uncovered.length - this.#inFlight,
    );
  }

  /**
   * Submits these transactions in this order. New transactions are covered first; the call does not
   * wait for that while covering succeeds. Rejects if covering fails: the transactions are then due
   * again at the next resend.
   */
  async send(batch: readonly SignedTransaction[], atLedger: number): Promise<void> {
    let isCovered = true;
    for (const signed of batch) {
      const { transactionHash } = signed;
      const isFresh = this.#options.cover !== undefined && !this.#sent.has(transactionHash);
      const isQueued = this.#queued.has(transactionHash);
      this.#sent.set(transactionHash, { atLedger, answer: null });
      if (isQueued) continue;
      this.#queued.add(transactionHash);
      (isFresh ? this.#uncovered : this.#queue).push({ signed, atLedger });
      isCovered &&= !isFresh;
    }
    this.#pump();
    if (isCovered) return;
    const covered = this.#coverAll();
    // Sign nothing more while the last signed transactions cannot be submitted.
    if (this.#failure !== null) await covered;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Submits due outstanding transactions in the order of Sequences; forgets settled ones. */
  async resend(outstanding: ReadonlyMap<string, Outstanding>, tipIndex: number): Promise<void> {
    for (const hash of this.#sent.keys()) if (!outstanding.has(hash)) this.#sent.delete(hash);
    this.#tipIndex = tipIndex;
    const due = [...outstanding.values()]
      .map((item) => item.signed)
      .filter((signed) => tipIndex < signed.lastLedgerSequence && this.#isDue(signed, tipIndex));
    await this.send(
      due.sort((a, b) => a.sequence - b.sequence),
      tipIndex,
    );
  }

  /** Covers all waiting transactions; those that arrive meanwhile form the next batch. */
  #coverAll(): Promise<void> {
    this.#covering ??= this.#coverInTurn();
    return this.#covering;
  }

  async #coverInTurn(): Promise<void> {
    while (this.#uncovered.length > 0) {
      const batch = this.#uncovered.splice(0);
      const last = batch.reduce((max, { signed }) => Math.max(max, signed.lastLedgerSequence), 0);
      try {
        await this.#options.cover?.(last);
        this.#failure = null;
        this.#queue.push(...batch);
        this.#pump();
      } catch (error) {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        for (const { signed } of [...batch, ...this.#uncovered.splice(0)]) {
          this.#sent.delete(signed.transactionHash);
          this.#queued.delete(signed.transactionHash);
        }
      }
    }
    // Reset at once, so that new transactions start a new turn.
    this.#covering = null;
  }

  #isDue({ transactionHash }: SignedTransaction, tipIndex: number): boolean {
    const sent = this.#sent.get(transactionHash);
    if (sent === undefined) return true;
    if (sent.atLedger >= tipIndex) return false;
    if (sent.answer === null) return tipIndex - sent.atLedger >= resendAfterLedgers;
    return !provisional.test(sent.answer) || tipIndex - sent.atLedger >= resendAfterLedgers;
  }

  #pump(): void {
    while (this.#inFlight < maxInFlight) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#queued.delete(next.signed.transactionHash);
      // The transaction was settled, or became too late, while it waited.
      const isLate = next.signed.lastLedgerSequence <= this.#tipIndex;
      if (isLate || !this.#sent.has(next.signed.transactionHash)) continue;
      this.#inFlight += 1;
      this.#submit(next.signed, next.atLedger).finally(() => {
        this.#inFlight -= 1;
        this.#pump();
      });
    }
  }

  async #submit(signed: SignedTransaction, atLedger: number): Promise<void> {
    try {
      const answer = await this.#gateway.submit(signed.blob);
      this.#answered(signed, atLedger, answer.engineResult);
      this.#options.onAnswer?.(signed, answer);
    } catch {
      // A lost result says nothing: the transaction is submitted again at the next ledger.
      this.#answered(signed, atLedger, 'lost');
    }
  }

  #answered({ transactionHash }: SignedTransaction, atLedger: number, answer: string): void {
    if (this.#sent.has(transactionHash)) this.#sent.set(transactionHash, { atLedger, answer });
  }
}
