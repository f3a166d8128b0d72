import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerGateway, SubmitAnswer } from '../../ledger/contract.ts';
import { Withdrawn } from '../../ledger/ledger-unavailable.ts';
import { maxUnanswered } from '../../ledger/submission-places.ts';
import { Attempts, maxAheadLedgers } from './attempts.ts';
import { Covering } from './covering.ts';
import type { Outstanding } from './outstanding.ts';
import { type FreeSequences, SignedAhead } from './signed-ahead.ts';

export interface SubmissionOptions {
  /**
   * Awaited before transactions are submitted for the first time: durably records the log position,
   * so that a rollback is detectable. No ledger after `lastLedger` can contain the transactions.
   */
  readonly cover?: ((lastLedger: number) => Promise<void>) | undefined;
  readonly onAnswer?: (signed: SignedTransaction, answer: SubmitAnswer) => void;
  /** Returns true if a ledger that was read decides the transaction's fate; default: none does. */
  readonly isDecided?: (transactionHash: string) => boolean;
  /** Returns true while transactions of the account may be submitted; default: always. */
  readonly maySubmit?: (account: string) => boolean;
}

/** Maximum waiting time in the queue. A later submission may miss the transaction's last ledger. */
const aheadMs = 4_000;

/**
 * Submits signed transactions to the ledger, and again until a validated ledger contains them.
 * Results decide only the time of the next attempt. The fate of a transaction comes from validated
 * ledgers alone.
 */
export class Submission {
  readonly #gateway: Pick<LedgerGateway, 'submit' | 'submissionsWithin' | 'current' | 'servers'>;
  readonly #options: SubmissionOptions;
  readonly #attempts = new Attempts();
  /** Null if transactions need no mark. */
  readonly #covering: Covering | null;
  /** Covered transactions that no open ledger had a place for yet. */
  readonly #ahead = new SignedAhead();
  /** Hashes of the uncovered transactions and of those signed ahead. */
  readonly #fresh = new Set<string>();
  readonly #queue: SignedTransaction[] = [];
  readonly #queued = new Set<string>();
  /** Hashes of the transactions that were handed to the gateway, which has not answered yet. */
  readonly #inFlight = new Set<string>();
  /** Hashes of those of them that may not be submitted for now, even if their turn comes. */
  #withdrawn: ReadonlySet<string> = new Set();
  #tipIndex = 0;

  constructor(
    gateway: Pick<LedgerGateway, 'submit' | 'submissionsWithin' | 'current' | 'servers'>,
    options: SubmissionOptions = {},
  ) {
    this.#gateway = gateway;
    this.#options = options;
    const { cover } = options;
    this.#covering =
      cover === undefined
        ? null
        : new Covering({
            cover,
            onCovered: (batch) => {
              this.#ahead.add(batch);
              this.#fillPlaces();
            },
            onFailed: (batch) => this.#forgetUnsent(batch),
          });
  }

  /**
   * Number of transactions that can still be submitted in time, at the rate that servers accept.
   */
  get room(): number {
    const bearable = this.#gateway.submissionsWithin(aheadMs);
    const waiting = this.#queue.length + this.#fresh.size;
    return Math.max(0, bearable - waiting - this.#inFlight.size);
  }

  /** Submits what was signed ahead, as far as the open ledger has places. */
  fill(free: FreeSequences): void {
    this.#ahead.open(free);
    this.#fillPlaces();
  }

  /** Returns true if the transaction was signed ahead: it has no place in an open ledger yet. */
  isAhead(transactionHash: string): boolean {
    return this.#fresh.has(transactionHash);
  }

  /**
   * Submits new transactions. They are covered first, and wait for a place in an open ledger (`fill`).
   * The call does not wait for that while covering succeeds. Leaves alone what `resend` found before:
   * it may have been submitted by now. Rejects if covering fails: the transactions are then due again at
   * the next resend.
   */
  send(batch: readonly SignedTransaction[], atLedger: number): Promise<void> {
    return this.#sendAll(
      batch.filter(({ transactionHash }) => !this.#attempts.has(transactionHash)),
      atLedger,
    );
  }

  /** See `Attempts.wasApplied`. */
  wasApplied(transactionHash: string, tipIndex: number): boolean {
    return this.#attempts.wasApplied(transactionHash, tipIndex);
  }

  /** See `Attempts.isHeld`. */
  isHeld(transactionHash: string, tipIndex: number): boolean {
    return this.#attempts.isHeld(transactionHash, tipIndex);
  }

  /**
   * Submits due outstanding transactions in the order of Sequences; forgets settled ones. None of
   * them is in a ledger up to `tipIndex`. Those with a submission under way are not due. Those of
   * another process, or of this one before a restart, are due after two ledgers.
   * - `known`: outstanding ones that may not be submitted for now. What servers answered about them is
   *   remembered.
   */
  async resend(
    outstanding: ReadonlyMap<string, Outstanding>,
    tipIndex: number,
    known: ReadonlyMap<string, Outstanding> = outstanding,
  ): Promise<void> {
    const isOpen = ({ transactionHash: hash }: SignedTransaction) => outstanding.has(hash);
    this.#attempts.keepOnly(
      (hash) => outstanding.has(hash) || (known.has(hash) && !this.#fresh.has(hash)),
    );
    const dropped = this.#ahead.drop(isOpen);
    this.#forget(dropped.filter(({ transactionHash }) => !known.has(transactionHash)));
    this.#forgetUnsent(dropped.filter(({ transactionHash }) => known.has(transactionHash)));
    this.#withdrawn = new Set([...this.#inFlight].filter((hash) => !outstanding.has(hash)));
    for (const signed of this.#queue.splice(0)) {
      if (isOpen(signed)) this.#queue.push(signed);
      else this.#queued.delete(signed.transactionHash);
    }
    this.#tipIndex = tipIndex;
    const at = { readTo: tipIndex, newest: this.#newestLedger() };
    for (const hash of known.keys()) this.#attempts.find(hash, at.newest);
    const due = [...outstanding.values()]
      .map((item) => item.signed)
      .filter(
        (signed) =>
          tipIndex < signed.lastLedgerSequence &&
          !this.#inFlight.has(signed.transactionHash) &&
          this.#attempts.isDue(signed, at),
      );
    await this.#sendAll(
      due.sort((a, b) => a.sequence - b.sequence),
      tipIndex,
    );
  }

  async #sendAll(batch: readonly SignedTransaction[], atLedger: number): Promise<void> {
    for (const signed of batch) {
      const { transactionHash } = signed;
      const isFresh = !this.#attempts.has(transactionHash);
      const isQueued = this.#queued.has(transactionHash);
      this.#attempts.begin(transactionHash, atLedger);
      if (isQueued) continue;
      this.#queued.add(transactionHash);
      if (!isFresh) {
        this.#queue.push(signed);
        continue;
      }
      this.#fresh.add(transactionHash);
      if (signed.replaces !== null && this.isAhead(signed.replaces))
        this.#dropAhead(signed.replaces);
      if (this.#covering === null) this.#ahead.add([signed]);
      else this.#covering.add(signed);
    }
    this.#fillPlaces();
    await this.#covering?.start();
  }

  /** Forgets one that is replaced before it was submitted, even if it is not covered yet. */
  #dropAhead(hash: string): void {
    this.#forget(this.#ahead.drop(({ transactionHash }) => transactionHash !== hash));
    this.#attempts.forget(hash);
  }

  /** Forgets transactions that no server got: outstanding ones are due at the next resend. */
  #forgetUnsent(batch: readonly SignedTransaction[]): void {
    this.#forget(batch);
    for (const { transactionHash } of batch) this.#attempts.neverSubmitted(transactionHash);
  }

  #forget(batch: readonly SignedTransaction[]): void {
    for (const { transactionHash } of batch) {
      this.#attempts.forget(transactionHash);
      this.#queued.delete(transactionHash);
      this.#fresh.delete(transactionHash);
    }
  }

  /** Index of the newest validated ledger. */
  #newestLedger(): number {
    const status = this.#gateway.current();
    return status.connected ? status.tip.index : this.#tipIndex;
  }

  /** The same, or the newest one that was read while the newest one may be invented. */
  #newestCertain(): number {
    const status = this.#gateway.current();
    return status.connected && status.outruns ? this.#tipIndex : this.#newestLedger();
  }

  #fillPlaces(): void {
    for (const signed of this.#ahead.take()) {
      this.#fresh.delete(signed.transactionHash);
      this.#queue.push(signed);
    }
    this.#pump();
  }

  /** Returns false if the transaction was settled or withdrawn, or became too late, while it waited. */
  #isWanted({ transactionHash: hash, account, lastLedgerSequence }: SignedTransaction): boolean {
    const { isDecided, maySubmit } = this.#options;
    if (this.#withdrawn.has(hash) || maySubmit?.(account) === false) return false;
    const isLate = lastLedgerSequence <= this.#newestCertain();
    const isSettled = !this.#attempts.has(hash) || isDecided?.(hash) === true;
    return !isLate && !isSettled;
  }

  #pump(): void {
    const servers = this.#gateway.servers().filter(({ state }) => state === 'ready').length;
    // As many as the servers have places for; the gateway holds each server to its own.
    while (this.#inFlight.size < maxUnanswered * Math.max(1, servers)) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const { transactionHash } = next;
      this.#queued.delete(transactionHash);
      if (!this.#isWanted(next)) continue;
      this.#inFlight.add(transactionHash);
      this.#submit(next).finally(() => {
        this.#inFlight.delete(transactionHash);
        this.#pump();
      });
    }
  }

  async #submit(signed: SignedTransaction): Promise<void> {
    const { transactionHash } = signed;
    const earlier = this.#attempts.submit(transactionHash, this.#newestLedger());
    try {
      // It may wait for the limits of the servers until its last ledger has closed.
      const isWanted = () => this.#isWanted(signed);
      const answer = await this.#gateway.submit(signed.blob, earlier, isWanted);
      const newest = this.#newestLedger();
      const stated = Math.min(answer.validatedLedger, newest + maxAheadLedgers);
      const atLedger = Math.max(newest, stated);
      this.#attempts.answered(transactionHash, answer.engineResult, atLedger);
      this.#options.onAnswer?.(signed, answer);
    } catch (error) {
      if (error instanceof Withdrawn)
        this.#attempts.withdrawn(transactionHash, this.#newestLedger());
      else this.#attempts.unanswered(transactionHash, this.#newestLedger());
    }
  }
}
