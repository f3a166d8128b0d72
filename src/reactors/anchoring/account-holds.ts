import type { AnchoringFold } from '../../anchoring-state/anchoring-fold.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountHold } from './account-hold.ts';
import type { Obstacle } from './obstacle.ts';
import { type Outstanding, outstandingOn } from './outstanding.ts';

export interface AccountHoldsDeps {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
  /** Accounts that anchor proofs. */
  readonly signers: readonly Signer[];
  /** Account that anchors checkpoints, and no proofs; null if checkpoints are not anchored. */
  readonly checkpointSigner: Signer | null;
  /**
   * Compares the log with its traces outside of the database, before the first signature under a
   * new lock. Another process may have signed and submitted what the database has lost since.
   */
  readonly compare?: (() => Promise<void>) | undefined;
}

/** The accounts that can sign now, or the reasons that none can. */
interface Ready {
  readonly proofs: readonly AccountHold[];
  readonly checkpoints: AccountHold | null;
  /** Reason that no account can sign for proofs; null if one can. */
  readonly obstacle: Obstacle | null;
  readonly checkpointObstacle: Obstacle | null;
}

/** Accounts of one network that this process has locked or waits for, on one ledger at a time. */
export class AccountHolds {
  readonly #deps: AccountHoldsDeps;
  readonly #fold: AnchoringFold;
  #holds: readonly AccountHold[] = [];

  constructor(deps: AccountHoldsDeps, fold: AnchoringFold) {
    this.#deps = deps;
    this.#fold = fold;
  }

  /** Returns the account if it is locked or waited for. */
  of(address: string): AccountHold | undefined {
    return this.#holds.find((hold) => hold.address === address);
  }

  /** Forgets the state of all accounts: it is read again before the next signatures. */
  forget(): void {
    for (const hold of this.#holds) hold.forget();
  }

  /** Tries to lock the configured accounts and the accounts with open transactions. */
  async take(ledgerId: string): Promise<void> {
    const { locks, checkpointSigner } = this.#deps;
    const all = [...this.#deps.signers, ...(checkpointSigner === null ? [] : [checkpointSigner])];
    const signers = all.filter(({ address }) => !this.#fold.retired.has(address));
    const known = new Map(this.#holds.map((hold) => [hold.address, hold]));
    const wanted = new Map<string, Signer | null>(signers.map((s) => [s.address, s]));
    for (const signed of this.#fold.backlog.signed()) {
      const isHere = signed.ledgerId === ledgerId;
      if (isHere && !wanted.has(signed.account)) wanted.set(signed.account, null);
    }
    this.#holds = [...wanted].map(([address, signer]) => {
      const hold = known.get(address);
      const isSame = hold?.ledgerId === ledgerId && hold.signer === signer;
      return isSame ? hold : new AccountHold(address, ledgerId, signer);
    });
    const dropped = [...known.values()].filter((hold) => !this.#holds.includes(hold));
    await Promise.all(dropped.map((hold) => hold.release(locks)));
    await Promise.all(this.#holds.map((hold) => hold.take(locks)));
  }

  /** Releases the locks of all accounts. */
  async release(): Promise<void> {
    const { locks } = this.#deps;
    const holds = this.#holds;
    this.#holds = [];
    await Promise.all(holds.map((hold) => hold.release(locks)));
  }

  /** Outstanding transactions of the accounts that this process has locked, by transaction hash. */
  outstanding(ledgerId: string): Map<string, Outstanding> {
    const held = new Set(this.#holds.filter((hold) => hold.held).map((hold) => hold.address));
    const all = outstandingOn(this.#fold.backlog, ledgerId);
    return new Map([...all].filter(([, item]) => held.has(item.signed.account)));
  }

  /**
   * Outstanding transactions that may be submitted again: of the accounts under whose locks the log
   * was compared. A process that lost its lock may have recorded a signature that repeats one that
   * the database has lost.
   */
  async submittable(ledgerId: string): Promise<Map<string, Outstanding>> {
    await this.#keep();
    const all = this.outstanding(ledgerId);
    return new Map([...all].filter(([, { signed }]) => this.of(signed.account)?.isCompared));
  }

  /** Compares the log under each lock under which it was not compared yet. */
  async compare(): Promise<void> {
    await this.#keep();
    const holds = this.#holds.filter(({ held, isCompared }) => held && !isCompared);
    if (holds.length === 0) return;
    const done = holds.map((hold) => hold.comparing());
    await this.#deps.compare?.();
    for (const record of done) record();
  }

  /** Notices locks that were lost since `take`, such as by a failover. Costs no query if none was. */
  async #keep(): Promise<void> {
    const before = this.#holds.filter(({ held }) => held);
    await Promise.all(before.map((hold) => hold.take(this.#deps.locks)));
  }

  async ready(tipIndex: number, feeDrops: number): Promise<Ready> {
    const { store, gateway, signers, checkpointSigner } = this.#deps;
    await this.compare();
    // A lock may have been lost and acquired again during the comparison.
    const holds = this.#holds.filter(({ signer, isCompared }) => signer !== null && isCompared);
    await Promise.all(
      holds.map((hold) => {
        const applied = this.#fold.backlog.appliedSequence(hold.ledgerId, hold.address);
        return hold.refresh(store, gateway, { tipIndex, feeDrops, applied });
      }),
    );
    const stuck = this.#stuckAccounts();
    for (const hold of holds) if (hold.isSignerAway(tipIndex)) stuck.add(hold.address);
    const proofs = this.#usable(holds, stuck, signers);
    const own = checkpointSigner === null ? [] : [checkpointSigner];
    const checkpoints = this.#usable(holds, stuck, own);
    return {
      proofs: proofs.ready,
      obstacle: proofs.obstacle,
      checkpoints: checkpoints.ready[0] ?? null,
      checkpointObstacle: checkpointSigner === null ? null : checkpoints.obstacle,
    };
  }

  #usable(
    all: readonly AccountHold[],
    stuck: ReadonlySet<string>,
    signers: readonly Signer[],
  ): { readonly ready: readonly AccountHold[]; readonly obstacle: Obstacle | null } {
    const holds = all.filter(({ address }) => signers.some((signer) => signer.address === address));
    // An account may have been retired while it was read: the fold is newer.
    const able = holds.filter(
      (hold) => hold.validatedSequence !== null && !this.#fold.retired.has(hold.address),
    );
    const usable = able.filter(({ address }) => !stuck.has(address));
    const obstacle = usable.length > 0 ? null : this.#obstacleOf(signers, holds, able);
    return { ready: usable.filter((hold) => hold.isReady(this.#fold.position)), obstacle };
  }

  /** Reason that no locked account can sign; null if another process has the locks. */
  #obstacleOf(
    signers: readonly Signer[],
    holds: readonly AccountHold[],
    able: readonly AccountHold[],
  ): Obstacle | null {
    if (signers.every(({ address }) => this.#fold.retired.has(address))) return 'noAccount';
    const lacks = holds.flatMap(({ lack }) => lack ?? []);
    if (lacks.includes('signerUnavailable')) return 'signerUnavailable';
    if (able.length > 0) return 'undecidedTransaction';
    if (lacks.includes('keyNotAuthorised')) return 'keyNotAuthorised';
    return lacks.length > 0 ? 'noFundedAccount' : null;
  }

  /**
   * Accounts with a transaction past its last ledger whose fate is unknown although the ledgers
   * were read. The transaction's Sequence may be free, and then no later transaction of the account
   * would ever be applied.
   */
  #stuckAccounts(): Set<string> {
    const { backlog, ledger } = this.#fold;
    const stuck = new Set<string>();
    if (ledger === null) return stuck;
    for (const { ledgerId, account, lastLedgerSequence } of backlog.signed()) {
      const isPast = lastLedgerSequence < ledger.tip.index;
      if (isPast && ledgerId === ledger.ledgerId) stuck.add(account);
    }
    return stuck;
  }
}
