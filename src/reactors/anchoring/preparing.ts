import type { AnchoringFold } from '../../anchoring-state/anchoring-fold.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import type { AccountHolds } from './account-holds.ts';
import { accountLimits } from './account-limits.ts';
import type { ConfirmedLedger, Connected } from './confirmed-ledger.ts';
import type { Delays } from './delay.ts';
import type { LedgerReader } from './ledger-reader.ts';
import { linkRevisions } from './link-revisions.ts';
import type { Obstacle } from './obstacle.ts';
import { prepareBatch } from './preparation.ts';
import { outbids, Replacing } from './replacing.ts';
import { checkpointShare, freeSequences, shareOut } from './share-out.ts';
import { allSigned, type SignerTroubles } from './sign-transactions.ts';
import type { Submission } from './submission.ts';
import { type BatchTracing, traceBatch } from './trace-batch.ts';

/** Terms under which transactions are signed. */
export interface SigningOptions extends SignerTroubles {
  readonly signers: readonly Signer[];
  /** Returns true once the log is known to be the one that anchored before. Absent: always true. */
  readonly maySign?: () => boolean;
  readonly maxFeeDrops: number;
  /** Maximum number of transactions of one account for one ledger. */
  readonly maxOutstanding: number;
}

interface PreparingDeps extends SigningOptions, BatchTracing {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
  readonly fold: AnchoringFold;
  readonly ledger: ConfirmedLedger;
  readonly holds: AccountHolds;
  readonly reader: LedgerReader;
  readonly submission: Submission;
}

/** Number of proofs that are signed for at once. Other work takes its turn in between. */
const signedAtOnce = 200;

/**
 * Status of a ledger to sign for. `shownIndex` is the newest ledger up to the tip that a server has shown.
 * The tip itself may be invented: a transaction could then be in a ledger before it, where nobody would
 * look for it.
 */
type Signable = Connected & { readonly shownIndex: number };

/** Signs for waiting items, and submits their transactions to the open ledger. */
export class Preparing {
  readonly #deps: PreparingDeps;
  readonly #replacing: Replacing;
  #obstacle: Obstacle | null = null;
  #checkpointObstacle: Obstacle | null = null;
  /** True if the servers took no more submissions when the last waiting proofs were signed for. */
  #lacksRoom = false;

  constructor(deps: PreparingDeps) {
    this.#deps = deps;
    this.#replacing = new Replacing(deps);
  }

  /** Reason that nothing was signed for proofs although nothing failed; null if none. */
  get obstacle(): Obstacle | null {
    return this.#obstacle;
  }

  /** The same for checkpoints, if they have an account on this network. */
  get checkpointObstacle(): Obstacle | null {
    return this.#checkpointObstacle;
  }

  /** Reasons that proofs wait although something is signed, or would be. */
  get delays(): Delays {
    const { gateway, ledger, fold } = this.#deps;
    const status = gateway.current();
    const { ledgerId } = ledger;
    const isKnown = status.connected && ledgerId !== null;
    const isWaiting = fold.backlog.hasWaiting && this.#lacksRoom;
    return {
      queuedAtMaxFee: isKnown && this.#hasQueued(status, ledgerId),
      submissionLimit: isKnown && (isWaiting || gateway.submissionsWaiting() > 0),
    };
  }

  /** Number of transactions that this process has replaced by ones that pay more. */
  get replacements(): number {
    return this.#replacing.count;
  }

  /** Submits what was signed ahead, as far as the open ledger of the confirmed servers has places. */
  fill(): void {
    const { gateway, ledger, signers, submission } = this.#deps;
    const status = gateway.current();
    const known = status.connected ? ledger.confirmed(status) : null;
    if (!status.connected || known === null) return;
    const { ledgerId } = known;
    const { backlog } = this.#deps.fold;
    const limits = accountLimits(status, this.#deps, this.#isPlaced(status.tip.index));
    const isAhead = (hash: string) => submission.isAhead(hash);
    const accounts = signers.map(({ address }) => address);
    const byAccount = freeSequences(accounts, { backlog, ledgerId, limits, isAhead });
    submission.fill({ ledgerId, byAccount });
  }

  /** Signs for the next waiting items. Resolves with true if more may follow. */
  async next(): Promise<boolean> {
    const { store } = this.#deps;
    const { ledgerId } = this.#deps.ledger;
    this.fill();
    const before = this.#signable(ledgerId);
    if (before === null || ledgerId === null) {
      // Outstanding transactions may be submitted again even while nothing may be signed.
      await this.#deps.holds.compare();
      return false;
    }
    const ready = await this.#deps.holds.ready(before.tip.index, this.#feeOf(before));
    this.#obstacle = ready.obstacle;
    this.#checkpointObstacle = ready.checkpointObstacle;
    const linked = await linkRevisions(store, this.#deps.fold.backlog, before.tip.index);
    // The ledger may have moved on: what is signed now lives from its present tip on.
    const now = this.#signable(ledgerId);
    if (now === null) return false;
    const replaced = await this.#replace(now, ledgerId, ready);
    await this.#deps.submission.send(replaced, now.tip.index);
    const signed = await this.#sign(now, ledgerId, ready);
    await this.#deps.submission.send(signed, now.tip.index);
    return linked || signed.length > 0;
  }

  /** The status of the ledger if something may be signed for it; otherwise sets the obstacle. */
  #signable(ledgerId: string | null): Signable | null {
    const status = this.#deps.gateway.current();
    // An operator may have declared the ledger gone.
    const known = status.connected ? this.#deps.ledger.confirmed(status) : null;
    if (!status.connected || known === null || known.ledgerId !== ledgerId) {
      this.#obstacle = null;
      this.#lacksRoom = false;
      return null;
    }
    const refusal = this.#refusal(status.queueFeeDrops);
    if (refusal !== null) {
      this.#obstacle = refusal;
      this.#lacksRoom = false;
      return null;
    }
    const shownIndex = Math.max(known.tip.index, this.#deps.reader.newestRead);
    return { ...status, shownIndex: Math.min(status.tip.index, shownIndex) };
  }

  /**
   * Fee of a transaction: of the open ledger, or the highest permitted one if that is less. Servers
   * then queue the transaction, ahead of those that pay less.
   */
  #feeOf({ openLedgerFeeDrops }: Connected): number {
    return Math.min(openLedgerFeeDrops, this.#deps.maxFeeDrops);
  }

  /** Replaces transactions by such that pay the present fee, once the newest ledger was read. */
  async #replace(
    status: Signable,
    ledgerId: string,
    { proofs, checkpoints }: Awaited<ReturnType<AccountHolds['ready']>>,
  ): Promise<readonly SignedTransaction[]> {
    const feeDrops = this.#feeOf(status);
    const tipIndex = status.tip.index;
    // Nothing outstanding pays less than the base fee.
    const isHigher = outbids(feeDrops, status.baseFeeDrops);
    if (!isHigher || this.#deps.reader.readTo < tipIndex) return [];
    const holds = [...proofs, ...(checkpoints === null ? [] : [checkpoints])];
    const minLedger = status.shownIndex;
    return this.#replacing.next(holds, { ledgerId, minLedger, tipIndex, feeDrops });
  }

  /**
   * True if the open ledger asks for more than is permitted, and transactions are queued already:
   * more of them could wait until their last ledger.
   */
  #hasQueued({ openLedgerFeeDrops, tip }: Connected, ledgerId: string): boolean {
    if (openLedgerFeeDrops <= this.#deps.maxFeeDrops) return false;
    const outstanding = [...this.#deps.holds.outstanding(ledgerId).values()];
    // One past its last ledger is in no queue, even while its fate is unknown.
    return outstanding.some(({ signed }) => signed.lastLedgerSequence > tip.index);
  }

  /** Reason that nothing may be signed if at least this fee is due; null if there is none. */
  #refusal(feeDrops: number): Obstacle | null {
    const { maySign, maxFeeDrops } = this.#deps;
    if (maySign?.() === false) return 'notCompared';
    return feeDrops > maxFeeDrops ? 'feeAboveLimit' : null;
  }

  /** Returns a test for transactions that need no place in the open ledger after `tipIndex`. */
  #isPlaced(tipIndex: number): (signed: SignedTransaction) => boolean {
    const isUnread = this.#deps.reader.readTo < tipIndex;
    return ({ transactionHash: hash }) =>
      this.#deps.reader.isDecided(hash) ||
      (isUnread && this.#deps.submission.wasApplied(hash, tipIndex));
  }

  async #sign(
    status: Signable,
    ledgerId: string,
    { proofs, checkpoints }: Awaited<ReturnType<AccountHolds['ready']>>,
  ): Promise<readonly SignedTransaction[]> {
    const { store } = this.#deps;
    const { backlog } = this.#deps.fold;
    const { tip } = status;
    const feeDrops = this.#feeOf(status);
    const at = { ledgerId, tipIndex: tip.index, backlog };
    const limits = accountLimits(status, this.#deps, this.#isPlaced(tip.index));
    const { room } = this.#deps.submission;
    const most = this.#hasQueued(status, ledgerId) ? 0 : Math.min(room, signedAtOnce);
    const shared = shareOut({ ...at, limits, ready: proofs, most });
    const isFull = shared.reduce((sum, { waiting }) => sum + waiting.length, 0) >= room;
    this.#lacksRoom = proofs.length > 0 && isFull;
    const shares = [...shared, ...(checkpoints === null ? [] : [checkpointShare(checkpoints, at)])];
    const { maxOutstanding } = limits;
    const minLedger = status.shownIndex;
    const terms = { ledgerId, minLedger, tipIndex: tip.index, feeDrops, maxOutstanding };
    const deps = { store, backlog, position: () => this.#deps.fold.position };
    return allSigned(
      shares.map(({ hold, waiting }) =>
        traceBatch(this.#deps, 'anchoring prepare', waiting.length, () =>
          hold.signInTurn(
            this.#deps.locks,
            tip.index,
            () => prepareBatch(deps, hold, waiting, terms),
            (error) => this.#deps.onSignerUnavailable?.(error, hold.address),
          ),
        ),
      ),
      (signed) => this.#deps.submission.send(signed, tip.index),
    );
  }
}
