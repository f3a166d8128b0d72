import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerGateway, SubmitAnswer } from '../../ledger/contract.ts';
import { Covering } from './covering.ts';
import type { Outstanding } from './outstanding.ts';
import { type OpenPlaces, SignedAhead } from './signed-ahead.ts';

export interface SubmissionOptions {
  /**
   * Awaited before transactions are submitted for the first time: durably records the log position,
   * so that a rollback is detectable. No ledger after `lastLedger` can contain the transactions.
   */
  readonly cover?: ((lastLedger: number) => Promise<void>) | undefined;
  readonly onAnswer?: (signed: SignedTransaction, answer: SubmitAnswer) => void;
}

interface Sent {
  /** Newest validated ledger when the transaction was answered, or handed over. */
  readonly atLedger: number;
  readonly answer: string | null;
  /**
   * Newest validated ledger at the first answer that the open ledger did not take the transaction;
   * null if there is none.
   */
  readonly heldSince: number | null;
}

/**
 * Number of validated ledgers without a transaction after which it is submitted again although the
 * server has it, or has not answered.
 */
const resendAfterLedgers = 2;
/** The same if newer ledgers are not read yet: reading may lag as long as a transaction lives. */
const resendUnreadAfterLedgers = 4;
const maxInFlight = 64;
/** Maximum waiting time in the queue. A later submission may miss the transaction's last ledger. */
const aheadMs = 4_000;

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

/**
 * Submits signed transactions to the ledger, and again until a validated ledger contains them.
 * Results decide only the time of the next attempt. The fate of a transaction comes from validated
 * ledgers alone.
 */
export class Submission {
  readonly #gateway: Pick<LedgerGateway, 'submit' | 'submissionsWithin' | 'current'>;
  readonly #options: SubmissionOptions;
  readonly #sent = new Map<string, Sent>();
  /** Null if transactions need no mark. */
  readonly #covering: Covering | null;
  /** Covered transactions that no open ledger had a place for yet. */
  readonly #ahead = new SignedAhead();
  /** Hashes of the uncovered transactions and of those signed ahead. */
  readonly #fresh = new Set<string>();
  readonly #queue: SignedTransaction[] = [];
  readonly #queued = new Set<string>();
  #inFlight = 0;
  #tipIndex = 0;

  constructor(
    gateway: Pick<LedgerGateway, 'submit' | 'submissionsWithin' | 'current'>,
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
            onFailed: (batch) => this.#forget(batch),
          });
  }

  /**
   * Number of transactions that can still be submitted in time, at the rate that servers accept.
   */
  get room(): number {
    const bearable = this.#gateway.submissionsWithin(aheadMs);
    const waiting = this.#queue.length + this.#fresh.size;
    return Math.max(0, bearable - waiting - this.#inFlight);
  }

  /** Submits what was signed ahead, as far as these places allow. */
  fill(places: OpenPlaces): void {
    this.#ahead.open(places);
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
      batch.filter(({ transactionHash }) => !this.#sent.has(transactionHash)),
      atLedger,
    );
  }

  /**
   * Returns true if the server applied the transaction to an open ledger that has closed since: one
   * of the ledgers up to `tipIndex` contains it, as far as the server knows.
   */
  wasApplied(transactionHash: string, tipIndex: number): boolean {
    const sent = this.#sent.get(transactionHash);
    return sent?.answer === 'tesSUCCESS' && sent.atLedger < tipIndex;
  }

  /**
   * Returns true if no open ledger has taken the transaction since the one before `tipIndex`, as far
   * as the servers know.
   */
  isHeld(transactionHash: string, tipIndex: number): boolean {
    const since = this.#sent.get(transactionHash)?.heldSince ?? null;
    return since !== null && since < tipIndex;
  }

  /**
   * Submits due outstanding transactions in the order of Sequences; forgets settled ones. None of
   * them is in a ledger up to `tipIndex`.
   */
  async resend(outstanding: ReadonlyMap<string, Outstanding>, tipIndex: number): Promise<void> {
    for (const hash of this.#sent.keys()) if (!outstanding.has(hash)) this.#sent.delete(hash);
    this.#forget(this.#ahead.drop(({ transactionHash }) => outstanding.has(transactionHash)));
    this.#tipIndex = tipIndex;
    const due = [...outstanding.values()]
      .map((item) => item.signed)
      .filter((signed) => tipIndex < signed.lastLedgerSequence && this.#isDue(signed, tipIndex));
    await this.#sendAll(
      due.sort((a, b) => a.sequence - b.sequence),
      tipIndex,
    );
  }

  async #sendAll(batch: readonly SignedTransaction[], atLedger: number): Promise<void> {
    for (const signed of batch) {
      const { transactionHash } = signed;
      const isFresh = !this.#sent.has(transactionHash);
      const isQueued = this.#queued.has(transactionHash);
      this.#sent.set(transactionHash, {
        atLedger,
        answer: null,
        ...this.#heldSince(transactionHash),
      });
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

  /** Forgets one that is replaced before it was submitted. */
  #dropAhead(hash: string): void {
    this.#forget(this.#ahead.drop(({ transactionHash }) => transactionHash !== hash));
  }

  #forget(batch: readonly SignedTransaction[]): void {
    for (const { transactionHash } of batch) {
      this.#sent.delete(transactionHash);
      this.#queued.delete(transactionHash);
      this.#fresh.delete(transactionHash);
    }
  }

  /** Returns true if the transaction should be submitted although it may have been before. */
  #isDue({ transactionHash, minLedger }: SignedTransaction, tipIndex: number): boolean {
    const sent = this.#sent.get(transactionHash);
    const unseen = tipIndex - (sent?.atLedger ?? minLedger);
    // A ledger that is not read yet may contain the transaction.
    if (this.#newestLedger() > tipIndex) return unseen >= resendUnreadAfterLedgers;
    if (sent === undefined) return true;
    const isOpen = sent.answer === null || provisional.test(sent.answer);
    return unseen >= (isOpen ? resendAfterLedgers : 1);
  }

  /** Index of the newest validated ledger. */
  #newestLedger(): number {
    const status = this.#gateway.current();
    return status.connected ? status.tip.index : this.#tipIndex;
  }

  #fillPlaces(): void {
    for (const signed of this.#ahead.take()) {
      this.#fresh.delete(signed.transactionHash);
      this.#queue.push(signed);
    }
    this.#pump();
  }

  #pump(): void {
    while (this.#inFlight < maxInFlight) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#queued.delete(next.transactionHash);
      // The transaction was settled, or became too late, while it waited.
      const isLate = next.lastLedgerSequence <= this.#newestLedger();
      if (isLate || !this.#sent.has(next.transactionHash)) continue;
      this.#inFlight += 1;
      this.#submit(next).finally(() => {
        this.#inFlight -= 1;
        this.#pump();
      });
    }
  }

  async #submit(signed: SignedTransaction): Promise<void> {
    const { transactionHash } = signed;
    const now = { atLedger: this.#newestLedger(), answer: null };
    this.#sent.set(transactionHash, { ...now, ...this.#heldSince(transactionHash) });
    try {
      const answer = await this.#gateway.submit(signed.blob);
      this.#answered(signed, answer.engineResult, answer.validatedLedger);
      this.#options.onAnswer?.(signed, answer);
    } catch {
      // A lost result says nothing: the transaction is submitted again at the next ledger.
      this.#answered(signed, lost);
    }
  }

  #answered({ transactionHash }: SignedTransaction, answer: string, validatedLedger = 0): void {
    const known = this.#sent.get(transactionHash);
    if (known === undefined) return;
    // The server may be ahead of the ledgers that it has reported.
    const atLedger = Math.max(this.#newestLedger(), validatedLedger);
    const isLost = answer === lost;
    const since = held.test(answer) ? (known.heldSince ?? atLedger) : null;
    this.#sent.set(transactionHash, {
      atLedger,
      answer,
      heldSince: isLost ? known.heldSince : since,
    });
  }

  #heldSince(transactionHash: string): Pick<Sent, 'heldSince'> {
    return { heldSince: this.#sent.get(transactionHash)?.heldSince ?? null };
  }
}
