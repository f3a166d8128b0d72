import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, LedgerTip } from '../../ledger/contract.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import type { Trace } from '../../telemetry/contract.ts';
import { AccountFence } from './account-fence.ts';
import { AccountHolds } from './account-holds.ts';
import { AnchoringFold } from './anchoring-fold.ts';
import { ConfirmedLedger, type Connected } from './confirmed-ledger.ts';
import { BrokenChain, LedgerReader, type Settled } from './ledger-reader.ts';
import { linkRevisions } from './link-revisions.ts';
import type { Obstacle } from './obstacle.ts';
import { outstandingOn } from './outstanding.ts';
import { prepareBatch, type SigningTerms } from './preparation.ts';
import { type SettlementDeps, settle } from './settlement.ts';
import { checkpointShare, shareOut } from './share-out.ts';
import { Submission, type SubmissionOptions } from './submission.ts';

export interface AnchoringDeps {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
  readonly signers: readonly Signer[];
  /** Signer of an account of its own; null if no checkpoints are anchored on this network. */
  readonly checkpointSigner: Signer | null;
  /** Returns true once the log is known to be the one that anchored before. Absent: always true. */
  readonly maySign?: () => boolean;
  /** Covers recorded signatures before they are submitted. Absent: nothing needs to be covered. */
  readonly cover?: SubmissionOptions['cover'] | undefined;
  readonly maxFeeDrops: number;
  /** Maximum number of outstanding transactions of one account. */
  readonly maxOutstanding: number;
  readonly onSubmitted?: (hash: string, engineResult: string) => void;
  /** Null or absent: no traces. */
  readonly trace?: Trace | null;
}

/**
 * Number of transactions of one account that a server queues once fees have risen (rippled, TxQ).
 */
const queueLimit = 10;

/**
 * Anchors the proofs of one network, and the log's checkpoints if they have an account there. The
 * caller passes the log in order to `fold.observe`, and calls `step` whenever the log or the ledger
 * has moved. A step may fail at any point and be repeated. Each step starts from the state of the
 * log and the ledger, so start and recovery are the same code.
 */
export class Anchoring {
  readonly fold: AnchoringFold;
  readonly #deps: AnchoringDeps;
  readonly #reader: LedgerReader;
  readonly #submission: Submission;
  readonly #ledger: ConfirmedLedger;
  readonly #holds: AccountHolds;
  readonly #goneFences = new Map<string, AccountFence>();
  #obstacle: Obstacle | null = null;
  #checkpointObstacle: Obstacle | null = null;

  constructor(deps: AnchoringDeps) {
    this.#deps = deps;
    this.fold = new AnchoringFold(deps.gateway.network);
    this.#holds = new AccountHolds(deps, this.fold);
    this.#reader = new LedgerReader(deps.gateway);
    this.#ledger = new ConfirmedLedger(deps, this.fold, () => this.#reader.restart());
    this.#submission = new Submission(deps.gateway, {
      cover: deps.cover,
      onAnswer: ({ transactionHash }, { engineResult }) =>
        deps.onSubmitted?.(transactionHash, engineResult),
    });
  }

  /** Reason that the last step signed for no proof although nothing failed; null if none. */
  get obstacle(): Obstacle | null {
    return this.#obstacle;
  }

  /** The same for checkpoints, if they have an account on this network. */
  get checkpointObstacle(): Obstacle | null {
    return this.#checkpointObstacle;
  }

  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  get ledgerId(): string | null {
    return this.#ledger.ledgerId;
  }

  /**
   * Does all work that is possible now: confirms the ledger, settles what validated ledgers decide,
   * signs for waiting proofs and submits. Rejects if the store or the ledger fails, and with
   * `OtherLedger`.
   */
  async step(): Promise<void> {
    const { gateway, locks } = this.#deps;
    const status = gateway.current();
    await this.#settleGone();
    this.#obstacle = null;
    if (!status.connected) return;
    const ledger = await this.#ledger.confirm(status);
    if (ledger === 'behind') this.#obstacle = 'ledgerBehind';
    if (ledger === 'behind' || ledger === null) return;
    await locks.release(`join ${this.fold.network}`);
    await this.#holds.take(ledger.ledgerId);
    await this.#settle(status, ledger.ledgerId);
    this.#obstacle = await this.#prepare(status, ledger.ledgerId);
  }

  /** Releases all accounts: another process may be able to use the ledger when this one is not. */
  release(): Promise<void> {
    return this.#holds.release();
  }

  /** Settles transactions that were signed for a ledger that an operator declared gone. */
  async #settleGone(): Promise<void> {
    for (const ledgerId of this.fold.gone) {
      const fates = [...outstandingOn(this.fold.backlog, ledgerId).values()].map((item) => ({
        item,
        fate: { fate: 'ledgerGone' } as const,
      }));
      await this.#record(this.#settlementDeps(this.#fenceOfGone), fates);
    }
  }

  async #settle(status: Connected, ledgerId: string): Promise<void> {
    const deps = this.#settlementDeps(this.#fenceOfHeld);
    const record = async (fates: readonly Settled[]) => {
      // The ledgers may have been read from a server that was not confirmed.
      if (!this.#ledger.isOfEpoch(status.epoch)) throw new LedgerUnavailable('servers changed');
      for (const { item, fate } of fates) {
        // Somebody else may have used the transaction's Sequence.
        if (fate.fate === 'absent') this.#holds.of(item.signed.account)?.forget();
      }
      await this.#record(deps, fates);
      for (const { item } of fates) {
        if (item.kind === 'anchor') item.of.postpone(status.tip.index);
      }
    };
    try {
      await this.#reader.advance(status.tip, this.#holds.outstanding(ledgerId), record);
    } catch (error) {
      if (error instanceof BrokenChain) this.#ledger.doubt();
      throw error;
    }
    this.fold.reached(ledgerId, status.tip);
    await this.#submission.resend(this.#holds.outstanding(ledgerId), status.tip.index);
  }

  async #record(deps: SettlementDeps, fates: Parameters<typeof settle>[1]): Promise<void> {
    if (fates.length === 0) return;
    await this.#traced('anchoring settle', fates.length, () => settle(deps, fates));
  }

  #traced<Result>(
    name: string,
    transactions: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { trace, gateway } = this.#deps;
    if (!trace) return work();
    const attributes = {
      'proofmark.network': gateway.name(),
      'proofmark.batch.transactions': transactions,
    };
    return trace({ name, parent: null, attributes }, work);
  }

  #settlementDeps(fenceOf: SettlementDeps['fenceOf']): SettlementDeps {
    const position = () => this.fold.position;
    return { store: this.#deps.store, backlog: this.fold.backlog, fenceOf, position };
  }

  readonly #fenceOfHeld: SettlementDeps['fenceOf'] = ({ ledgerId, account }) => {
    const hold = this.#holds.of(account);
    return hold?.ledgerId === ledgerId ? hold.fence : new AccountFence(ledgerId, account);
  };

  /** No process locks accounts on a ledger that is gone: the first process to come settles. */
  readonly #fenceOfGone: SettlementDeps['fenceOf'] = ({ ledgerId, account }) => {
    const key = `${ledgerId} ${account}`;
    const fence = this.#goneFences.get(key) ?? new AccountFence(ledgerId, account);
    this.#goneFences.set(key, fence);
    return fence;
  };

  /** Signs for waiting items and submits. Returns the obstacle to signing, or null. */
  async #prepare(status: Connected, ledgerId: string): Promise<Obstacle | null> {
    const { store, maxFeeDrops, maySign } = this.#deps;
    if (maySign?.() === false) return 'notCompared';
    const { backlog } = this.fold;
    const { tip, openLedgerFeeDrops: feeDrops } = status;
    if (feeDrops > maxFeeDrops) return 'feeAboveLimit';
    const maxOutstanding = this.#maxOutstanding(status);
    const terms: SigningTerms = { ledgerId, minLedger: tip.index, feeDrops, maxOutstanding };
    const {
      proofs: ready,
      checkpoints,
      obstacle,
      ...held
    } = await this.#holds.ready(tip.index, feeDrops);
    this.#checkpointObstacle = held.checkpointObstacle;
    for (;;) {
      // An operator may have declared the ledger gone since this step began.
      if (this.fold.ledger?.ledgerId !== ledgerId) return null;
      const linked = await linkRevisions(store, backlog, tip.index);
      const most = this.#submission.room;
      const room = { ready, ledgerId, tipIndex: tip.index, maxOutstanding, most };
      const checkpoint = { ledgerId, tipIndex: tip.index, backlog };
      const shares = [
        ...shareOut({ ...room, backlog }),
        ...(checkpoints === null ? [] : [checkpointShare(checkpoints, checkpoint)]),
      ];
      const deps = { store, backlog, position: () => this.fold.position };
      const prepared = await Promise.all(
        shares.map(({ hold, waiting, sequences }) =>
          this.#traced('anchoring prepare', waiting.length, () =>
            prepareBatch(deps, hold, waiting, sequences, terms),
          ),
        ),
      );
      await this.#submission.send(prepared.flat(), tip.index);
      if (!linked && prepared.every((batch) => batch.length === 0)) return obstacle;
      // Return to settle the next ledger first: its decisions make room, and callers wait for them.
      if (this.#hasMoved(tip)) return obstacle;
    }
  }

  #hasMoved(tip: LedgerTip): boolean {
    const now = this.#deps.gateway.current();
    return !now.connected || now.tip.hash !== tip.hash;
  }

  /**
   * Maximum number of outstanding transactions of one account. Once fees have risen, this is the
   * account's room in the queue; before, also its share of an open ledger.
   */
  #maxOutstanding(status: Connected): number {
    if (status.openLedgerFeeDrops > status.baseFeeDrops) return queueLimit;
    const part = Math.ceil(status.expectedLedgerSize / this.#deps.signers.length);
    return Math.min(Math.max(part, queueLimit), this.#deps.maxOutstanding);
  }
}
