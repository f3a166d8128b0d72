import { AnchoringFold } from '../../anchoring-state/anchoring-fold.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountHolds, type AccountHoldsDeps } from './account-holds.ts';
import { ConfirmedLedger } from './confirmed-ledger.ts';
import type { Delays } from './delay.ts';
import { LedgerReader } from './ledger-reader.ts';
import type { Obstacle } from './obstacle.ts';
import { Preparing, type SigningOptions } from './preparing.ts';
import { Settling } from './settling.ts';
import { Submission, type SubmissionOptions } from './submission.ts';
import type { BatchTracing } from './trace-batch.ts';

export interface AnchoringDeps
  extends SigningOptions,
    BatchTracing,
    Pick<AccountHoldsDeps, 'compare'> {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
  /** Signer of an account of its own; null if no checkpoints are anchored on this network. */
  readonly checkpointSigner: Signer | null;
  /** Covers recorded signatures before they are submitted. Absent: nothing needs to be covered. */
  readonly cover?: SubmissionOptions['cover'] | undefined;
  readonly onSubmitted?: (hash: string, engineResult: string) => void;
}

/**
 * Anchors the proofs of one network, and the log's checkpoints if they have an account there. The
 * caller passes the log in order to `fold.observe`. It calls `settle` whenever the ledger has moved
 * and `prepare` whenever the log or the ledger has, each one call at a time. Both may run at once:
 * the open ledger is filled while the last one is settled. A call may fail at any point and be
 * repeated. Each call starts from the state of the log and the ledger, so start and recovery are
 * the same code.
 */
export class Anchoring {
  readonly fold: AnchoringFold;
  readonly #deps: AnchoringDeps;
  readonly #ledger: ConfirmedLedger;
  readonly #holds: AccountHolds;
  readonly #settling: Settling;
  readonly #preparing: Preparing;
  #isBehind = false;
  #isClear = false;

  constructor(deps: AnchoringDeps) {
    this.#deps = deps;
    this.fold = new AnchoringFold(deps.gateway.network);
    this.#holds = new AccountHolds(deps, this.fold);
    const reader = new LedgerReader(deps.gateway);
    this.#ledger = new ConfirmedLedger(deps, this.fold, () => {
      reader.restart();
      // Servers that were not compared may have stated the accounts' Sequences.
      this.#holds.forget();
    });
    const submission = new Submission(deps.gateway, {
      cover: deps.cover,
      onAnswer: ({ transactionHash }, { engineResult }) =>
        deps.onSubmitted?.(transactionHash, engineResult),
      isDecided: (hash) => reader.isDecided(hash),
      maySubmit: (account) => this.#holds.of(account)?.isCompared === true,
    });
    const own = { fold: this.fold, holds: this.#holds, ledger: this.#ledger, reader, submission };
    this.#settling = new Settling({ ...deps, ...own });
    this.#preparing = new Preparing({ ...deps, ...own });
  }

  /** Reason that nothing was signed for proofs although nothing failed; null if none. */
  get obstacle(): Obstacle | null {
    return this.#isBehind ? 'ledgerBehind' : this.#preparing.obstacle;
  }

  /** The same for checkpoints, if they have an account on this network. */
  get checkpointObstacle(): Obstacle | null {
    return this.#preparing.checkpointObstacle;
  }

  /** Reasons that proofs wait although anchoring is not paused. */
  get delays(): Delays {
    return this.#preparing.delays;
  }

  /** Number of transactions that this process has replaced by ones that pay more. */
  get replacements(): number {
    return this.#preparing.replacements;
  }

  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  get ledgerId(): string | null {
    return this.#ledger.ledgerId;
  }

  /**
   * Confirms the ledger, settles what validated ledgers decide, and submits again what is due.
   * Rejects if the store or the ledger fails, and with `OtherLedger`.
   */
  async settle(): Promise<void> {
    const { gateway, locks } = this.#deps;
    await this.#clearing(async () => {
      const status = gateway.current();
      await this.#settling.settleGone();
      const ledger = status.connected ? await this.#ledger.confirm(status) : null;
      this.#isBehind = ledger === 'behind';
      if (!status.connected || ledger === 'behind' || ledger === null) return;
      await locks.release(`join ${this.fold.network}`);
      await this.#holds.take(ledger.ledgerId);
      await this.#settling.settle(status, ledger.ledgerId);
      this.#isClear = true;
    });
  }

  /**
   * Signs for waiting items and submits, on the ledger that `settle` has confirmed. After a failure
   * of either, `settle` must succeed first. Rejects if the store or the ledger fails.
   */
  async prepare(): Promise<void> {
    await this.#clearing(async () => {
      while (this.#isClear && (await this.#preparing.next()));
    });
  }

  /**
   * Submits at once what waits for the next open ledger, also after a failure: it is on record, and
   * lives for few ledgers. Call it whenever a ledger has closed.
   */
  fill(): void {
    this.#preparing.fill();
  }

  /** A failure of the work stops signing until `settle` succeeds. */
  async #clearing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#isClear = false;
      throw error;
    }
  }

  /** Releases all accounts: another process may be able to use the ledger when this one is not. */
  release(): Promise<void> {
    return this.#holds.release();
  }
}
