import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import type { Trace } from '../../telemetry/contract.ts';
import { AccountFence } from './account-fence.ts';
import { AccountHolds } from './account-holds.ts';
import { accountLimits } from './account-limits.ts';
import type { Anchorable } from './anchorable.ts';
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
  /** Maximum number of transactions of one account for one ledger. */
  readonly maxOutstanding: number;
  readonly onSubmitted?: (hash: string, engineResult: string) => void;
  /** Null or absent: no traces. */
  readonly trace?: Trace | null;
}

/** Number of proofs that are signed for at once. Other work takes its turn in between. */
const signedAtOnce = 200;

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
  readonly #reader: LedgerReader;
  readonly #submission: Submission;
  readonly #ledger: ConfirmedLedger;
  readonly #holds: AccountHolds;
  readonly #goneFences = new Map<string, AccountFence>();
  #isBehind = false;
  #isClear = false;
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

  /** Reason that nothing was signed for proofs although nothing failed; null if none. */
  get obstacle(): Obstacle | null {
    return this.#isBehind ? 'ledgerBehind' : this.#obstacle;
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
   * Confirms the ledger, settles what validated ledgers decide, and submits again what is due.
   * Rejects if the store or the ledger fails, and with `OtherLedger`.
   */
  async settle(): Promise<void> {
    const { gateway, locks } = this.#deps;
    await this.#clearing(async () => {
      const status = gateway.current();
      await this.#settleGone();
      const ledger = status.connected ? await this.#ledger.confirm(status) : null;
      this.#isBehind = ledger === 'behind';
      if (!status.connected || ledger === 'behind' || ledger === null) return;
      await locks.release(`join ${this.fold.network}`);
      await this.#holds.take(ledger.ledgerId);
      await this.#settle(status, ledger.ledgerId);
      this.#isClear = true;
    });
  }

  /**
   * Signs for waiting items and submits, on the ledger that `settle` has confirmed. After a failure
   * of either, `settle` must succeed first. Rejects if the store or the ledger fails.
   */
  async prepare(): Promise<void> {
    await this.#clearing(async () => {
      while (this.#isClear && (await this.#prepareNext()));
    });
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
    const deps = {
      ...this.#settlementDeps(this.#fenceOfHeld),
      // Before `prepare` can sign for the item again.
      onSettled: (of: Anchorable) => of.postpone(status.tip.index),
    };
    const record = async (fates: readonly Settled[]) => {
      // The ledgers may have been read from a server that was not confirmed.
      if (!this.#ledger.isOfEpoch(status.epoch)) throw new LedgerUnavailable('servers changed');
      for (const { item, fate } of fates) {
        // Somebody else may have used the transaction's Sequence.
        if (fate.fate === 'absent') this.#holds.of(item.signed.account)?.forget();
      }
      await this.#record(deps, fates);
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

  /** Signs for the next waiting items. Resolves with true if more may follow. */
  async #prepareNext(): Promise<boolean> {
    const { store } = this.#deps;
    const { ledgerId } = this;
    const before = this.#signable(ledgerId);
    if (before === null || ledgerId === null) return false;
    const ready = await this.#holds.ready(before.tip.index, before.openLedgerFeeDrops);
    this.#obstacle = ready.obstacle;
    this.#checkpointObstacle = ready.checkpointObstacle;
    const linked = await linkRevisions(store, this.fold.backlog, before.tip.index);
    // The ledger may have moved on: what is signed now lives from its present tip on.
    const now = this.#signable(ledgerId);
    if (now === null) return false;
    const signed = await this.#sign(now, ledgerId, ready);
    await this.#submission.send(signed, now.tip.index);
    return linked || signed.length > 0;
  }

  /** The status of the ledger if something may be signed for it; otherwise sets the obstacle. */
  #signable(ledgerId: string | null): Connected | null {
    const status = this.#deps.gateway.current();
    // An operator may have declared the ledger gone.
    const known = status.connected ? this.#ledger.confirmed(status) : null;
    if (!status.connected || known === null || known.ledgerId !== ledgerId) {
      this.#obstacle = null;
      return null;
    }
    const refusal = this.#refusal(status.openLedgerFeeDrops);
    if (refusal !== null) this.#obstacle = refusal;
    return refusal === null ? status : null;
  }

  /** Reason that nothing may be signed at this fee; null if there is none. */
  #refusal(feeDrops: number): Obstacle | null {
    const { maySign, maxFeeDrops } = this.#deps;
    if (maySign?.() === false) return 'notCompared';
    return feeDrops > maxFeeDrops ? 'feeAboveLimit' : null;
  }

  /** Returns a test for transactions that need no place in the open ledger after `tipIndex`. */
  #isPlaced(tipIndex: number): (signed: SignedTransaction) => boolean {
    const isUnread = this.#reader.readTo < tipIndex;
    return ({ transactionHash: hash }) =>
      this.#reader.isDecided(hash) || (isUnread && this.#submission.wasApplied(hash, tipIndex));
  }

  async #sign(
    status: Connected,
    ledgerId: string,
    { proofs, checkpoints }: Awaited<ReturnType<AccountHolds['ready']>>,
  ): Promise<readonly SignedTransaction[]> {
    const { store } = this.#deps;
    const { backlog } = this.fold;
    const { tip, openLedgerFeeDrops: feeDrops } = status;
    const at = { ledgerId, tipIndex: tip.index, backlog };
    const limits = accountLimits(status, this.#deps, this.#isPlaced(tip.index));
    const most = Math.min(this.#submission.room, signedAtOnce);
    const shares = [
      ...shareOut({ ...at, limits, ready: proofs, most }),
      ...(checkpoints === null ? [] : [checkpointShare(checkpoints, at)]),
    ];
    const { maxOutstanding } = limits;
    const terms: SigningTerms = { ledgerId, minLedger: tip.index, feeDrops, maxOutstanding };
    const deps = { store, backlog, position: () => this.fold.position };
    const prepared = await Promise.all(
      shares.map(({ hold, waiting, sequences }) =>
        this.#traced('anchoring prepare', waiting.length, () =>
          prepareBatch(deps, hold, waiting, sequences, terms),
        ),
      ),
    );
    return prepared.flat();
  }
}
