import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountHold } from './account-hold.ts';
import type { AnchoringFold } from './anchoring-fold.ts';
import type { Obstacle } from './obstacle.ts';
import { type Outstanding, outstandingOn } from './outstanding.ts';

export interface AccountHoldsDeps {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
  /** The accounts that proofs are anchored from. */
  readonly signers: readonly Signer[];
  /** The account that checkpoints are anchored from, none of those; null where they are not. */
  readonly checkpointSigner: Signer | null;
}

/** The accounts that can be signed with now, and why none can where none can. */
export interface Ready {
  readonly proofs: readonly AccountHold[];
  readonly checkpoints: AccountHold | null;
  /** What keeps proofs from being signed for; null if nothing does. */
  readonly obstacle: Obstacle | null;
  readonly checkpointObstacle: Obstacle | null;
}

/** The accounts of one network that this process holds or waits for, of one ledger at a time. */
export class AccountHolds {
  readonly #deps: AccountHoldsDeps;
  readonly #fold: AnchoringFold;
  #holds: readonly AccountHold[] = [];

  constructor(deps: AccountHoldsDeps, fold: AnchoringFold) {
    this.#deps = deps;
    this.#fold = fold;
  }

  /** Held or waited for. */
  of(address: string): AccountHold | undefined {
    return this.#holds.find((hold) => hold.address === address);
  }

  /** Takes what can be held of the configured accounts and of those with open transactions. */
  async take(ledgerId: string): Promise<void> {
    const { locks, checkpointSigner } = this.#deps;
    const all = [...this.#deps.signers, ...(checkpointSigner === null ? [] : [checkpointSigner])];
    const signers = all.filter(({ address }) => !this.#fold.retired.has(address));
    const known = new Map(this.#holds.map((hold) => [hold.address, hold]));
    const wanted = new Map<string, Signer | null>(signers.map((s) => [s.address, s]));
    for (const { signed } of outstandingOn(this.#fold.backlog, ledgerId).values()) {
      if (!wanted.has(signed.account)) wanted.set(signed.account, null);
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

  /** Gives every account back. */
  async release(): Promise<void> {
    const { locks } = this.#deps;
    const holds = this.#holds;
    this.#holds = [];
    await Promise.all(holds.map((hold) => hold.release(locks)));
  }

  /** What is outstanding on accounts that this process holds, by transaction hash. */
  outstanding(ledgerId: string): Map<string, Outstanding> {
    const held = new Set(this.#holds.filter((hold) => hold.held).map((hold) => hold.address));
    const all = outstandingOn(this.#fold.backlog, ledgerId);
    return new Map([...all].filter(([, item]) => held.has(item.signed.account)));
  }

  async ready(tipIndex: number, feeDrops: number): Promise<Ready> {
    const { store, gateway, signers, checkpointSigner } = this.#deps;
    const holds = this.#holds.filter((hold) => hold.held && hold.signer !== null);
    await Promise.all(holds.map((hold) => hold.refresh(store, gateway, { tipIndex, feeDrops })));
    const stuck = this.#stuckAccounts(tipIndex);
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
    // An account may have been retired while it was read; what is known of it is newer than that.
    const able = holds.filter(
      (hold) => hold.validatedSequence !== null && !this.#fold.retired.has(hold.address),
    );
    const usable = able.filter(({ address }) => !stuck.has(address));
    const obstacle = usable.length > 0 ? null : this.#obstacleOf(signers, holds, able);
    return { ready: usable.filter((hold) => hold.isReady(this.#fold.position)), obstacle };
  }

  /** Why none of the accounts held here can be signed with; null if another process holds them. */
  #obstacleOf(
    signers: readonly Signer[],
    holds: readonly AccountHold[],
    able: readonly AccountHold[],
  ): Obstacle | null {
    if (signers.every(({ address }) => this.#fold.retired.has(address))) return 'noAccount';
    if (able.length > 0) return 'undecidedTransaction';
    const lacks = holds.flatMap(({ lack }) => lack ?? []);
    if (lacks.includes('keyNotAuthorised')) return 'keyNotAuthorised';
    return lacks.length > 0 ? 'noFundedAccount' : null;
  }

  /**
   * Accounts with a transaction past its last ledger whose fate no server tells: its Sequence may
   * be free, and whatever was signed behind it would never be applied.
   */
  #stuckAccounts(tipIndex: number): Set<string> {
    const { backlog, ledger } = this.#fold;
    if (ledger === null) return new Set();
    const signed = [...outstandingOn(backlog, ledger.ledgerId).values()].map((item) => item.signed);
    const past = signed.filter(({ lastLedgerSequence }) => lastLedgerSequence < tipIndex);
    return new Set(past.map(({ account }) => account));
  }
}
