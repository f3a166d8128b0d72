import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerGateway, SubmitAnswer } from '../../ledger/contract.ts';
import type { Outstanding } from './outstanding.ts';

export interface SubmissionOptions {
  /**
   * Is awaited before signed transactions are handed over for the first time: what is on record by then
   * must be missed if it is forgotten. None of them can be in a ledger after `lastLedger`.
   */
  readonly cover?: ((lastLedger: number) => Promise<void>) | undefined;
  readonly onAnswer?: (signed: SignedTransaction, answer: SubmitAnswer) => void;
}

interface Sent {
  readonly atLedger: number;
  readonly answer: string | null;
}

/** After this many validated ledgers without being seen a transaction is handed over again. */
const resendAfterLedgers = 2;
const maxInFlight = 64;
/** What waits longer to be handed over may come too late for its last ledger. */
const aheadSeconds = 4;

/** Answers after which waiting suffices: the server has the transaction. */
const provisional = /^(tes|tec|terQUEUED)/;

/**
 * Hands signed transactions to the ledger, and again while they are not seen in a validated one.
 * Answers decide nothing but when to hand over again: what became of a transaction is read from
 * validated ledgers alone.
 */
export class Submission {
  readonly #gateway: Pick<LedgerGateway, 'submit' | 'submissionsPerSecond'>;
  readonly #options: SubmissionOptions;
  readonly #sent = new Map<string, Sent>();
  /** Handed to nobody before what covers them is on stable storage. */
  readonly #uncovered: { signed: SignedTransaction; atLedger: number }[] = [];
  readonly #queue: { signed: SignedTransaction; atLedger: number }[] = [];
  readonly #queued = new Set<string>();
  #inFlight = 0;
  #covering: Promise<void> | null = null;
  /** Why nothing could be covered the last time. */
  #failure: Error | null = null;
  #tipIndex = 0;

  constructor(
    gateway: Pick<LedgerGateway, 'submit' | 'submissionsPerSecond'>,
    options: SubmissionOptions = {},
  ) {
    this.#gateway = gateway;
    this.#options = options;
  }

  /** How many more can be handed over in good time, at the pace that the servers bear. */
  get room(): number {
    const bearable = this.#gateway.submissionsPerSecond() * aheadSeconds;
    return Math.max(
      0,
      Math.floor(bearable) - this.#queue.length - this.#uncovered.length - this.#inFlight,
    );
  }

  /**
   * Hands these over, in this order; those that are handed over for the first time once they are
   * covered, which is not waited for while it succeeds. Rejects where it does not: they are due again
   * at the next resend.
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
    // Nothing more is signed while what was signed last cannot be submitted.
    if (this.#failure !== null) await covered;
    if (this.#failure !== null) throw this.#failure;
  }

  /** Hands over what is outstanding and due, in the order of Sequences; forgets what is settled. */
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

  /** Whatever comes while something is being covered is covered together after it. */
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
    // At once, so that what comes now is not left to a turn that is over.
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
      // Settled, or too late, while it waited.
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
      // A lost answer says nothing: it is handed over again with the next ledger.
      this.#answered(signed, atLedger, 'lost');
    }
  }

  #answered({ transactionHash }: SignedTransaction, atLedger: number, answer: string): void {
    if (this.#sent.has(transactionHash)) this.#sent.set(transactionHash, { atLedger, answer });
  }
}
