import type { EventStore } from '../../event-store/event-store.ts';
import { isAuthorised } from '../../ledger/authorised-key.ts';
import type { LedgerAccount, LedgerGateway } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import { SignerUnavailable } from '../../ledger/signer-unavailable.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountDoubts } from './account-doubts.ts';
import { AccountFence } from './account-fence.ts';

/** Minimum number of transactions that an account must be able to pay for. */
const leastTransactions = 20;

/**
 * A signer that failed after a time is asked again after so many times that time: all accounts wait for
 * one that hangs.
 */
const awayFactor = 10;

/** Reason that an account cannot sign. */
type Lack = 'unfunded' | 'keyNotAuthorised' | 'signerUnavailable';

/**
 * One anchoring account on one ledger, and this process's lock on it. The lock decides who may
 * sign; the version of the account's stream is the fence behind it. Without a signer, outstanding
 * transactions of the account are still settled.
 */
export class AccountHold {
  readonly address: string;
  readonly ledgerId: string;
  readonly signer: Signer | null;
  readonly fence: AccountFence;
  #heldSince: number | null = null;
  /** True after `release`: nothing would release a lock that is acquired again. */
  #isReleased = false;
  /** The lock under which the log was compared with the submission marks; null before. */
  #comparedSince: number | null = null;
  #validatedSequence: number | null = null;
  readonly #doubts = new AccountDoubts();
  /** Newest ledger in which the account could not sign. */
  #lackedAt: number | null = null;
  #lack: Lack | null = null;
  /** Newest ledger in which the signer was unavailable; null if it has signed since. */
  #signerLackedAt: number | null = null;
  /** Time of `performance.now()` before which the signer is not asked again. */
  #signerAwayUntil = 0;
  /** Head of the log when the Sequence was read. The Sequence is valid after folding up to it. */
  #asOf = 0;

  constructor(address: string, ledgerId: string, signer: Signer | null) {
    this.address = address;
    this.ledgerId = ledgerId;
    this.signer = signer;
    this.fence = new AccountFence(ledgerId, address);
  }

  get held(): boolean {
    return this.#heldSince !== null;
  }

  /** Next Sequence of the account when the ledger was last asked; null if unknown. */
  get validatedSequence(): number | null {
    return this.#validatedSequence;
  }

  /** Reason that the account cannot sign, as of the newest ledger that was asked; null if none. */
  get lack(): Lack | null {
    return this.#lack ?? (this.#signerLackedAt === null ? null : 'signerUnavailable');
  }

  /**
   * Returns true if the signer was unavailable after this ledger: it is asked again after the next, or
   * later if it took long to fail.
   */
  isSignerAway(tipIndex: number): boolean {
    if (this.#signerLackedAt === null) return false;
    return this.#signerLackedAt === tipIndex || performance.now() < this.#signerAwayUntil;
  }

  /**
   * Signs and records in turn of the fence. Resolves with the transactions to submit. Resolves with
   * none, and calls `onUnavailable`, if the signer cannot sign: other accounts go on.
   *
   * Resolves with none, too, if the lock was lost meanwhile. The database may have lost events with
   * it, and then the fence lets a signature pass that repeats a lost one. The recorded transactions
   * are submitted after the next comparison of the log, by the process that has the lock then.
   */
  async signInTurn<Signed>(
    locks: WorkLocks,
    tipIndex: number,
    work: () => Promise<readonly Signed[]>,
    onUnavailable: (error: SignerUnavailable) => void,
  ): Promise<readonly Signed[]> {
    let began = performance.now();
    try {
      const signed = await this.fence.inTurn(() => {
        began = performance.now();
        return this.#underLock(locks, work);
      });
      if (signed.length > 0) this.#signerLackedAt = null;
      return signed;
    } catch (error) {
      if (!(error instanceof SignerUnavailable)) throw error;
      this.#signerLackedAt = tipIndex;
      const now = performance.now();
      this.#signerAwayUntil = now + awayFactor * (now - began);
      onUnavailable(error);
      return [];
    }
  }

  async #underLock<Signed>(
    locks: WorkLocks,
    work: () => Promise<readonly Signed[]>,
  ): Promise<readonly Signed[]> {
    if (!this.isCompared) return [];
    const since = this.#heldSince;
    const signed = await work();
    if (signed.length > 0) await this.take(locks);
    return this.#heldSince === since ? signed : [];
  }

  /** Returns true if the next signature can be prepared, with the log folded up to `position`. */
  isReady(position: number): boolean {
    const isFenced = this.fence.versionAt(position) !== null;
    return isFenced && this.#validatedSequence !== null && position >= this.#asOf;
  }

  /**
   * Acquires or keeps the lock. Forgets the account's state if another process may have had it. The lock
   * counts as lost while the database cannot be asked.
   */
  async take(locks: WorkLocks): Promise<void> {
    if (this.#isReleased) return;
    const since = await locks.hold(this.#lock).catch((error: unknown) => {
      this.#heldSince = null;
      throw error;
    });
    if (this.#isReleased) return;
    if (since !== this.#heldSince) this.forget();
    this.#heldSince = since;
  }

  /** True if the lock is held, and the log was compared with the submission marks under it. */
  get isCompared(): boolean {
    return this.held && this.#comparedSince === this.#heldSince;
  }

  /** Returns a function that records such a comparison, which begins now. */
  comparing(): () => void {
    const since = this.#heldSince;
    return () => {
      this.#comparedSince = since;
    };
  }

  /** Releases the lock for good, so that another process can sign. */
  async release(locks: WorkLocks): Promise<void> {
    this.#isReleased = true;
    this.#heldSince = null;
    await locks.release(this.#lock);
  }

  get #lock(): string {
    return `anchoring ${this.ledgerId} ${this.address}`;
  }

  /** Forgets the account's state: it may be wrong, and is read again before the next signature. */
  forget(): void {
    this.fence.forget();
    this.#validatedSequence = null;
  }

  /**
   * Forgets a Sequence that this outstanding one contradicts. It is read again at the next ledger, from
   * another server unless the outstanding one is the wrong one.
   */
  doubt(tipIndex: number, outstanding: number): void {
    this.forget();
    this.#doubts.contradicted(outstanding);
    this.#lackedAt = tipIndex;
  }

  /** Notes that transactions were signed in this ledger with the validated Sequence, or later ones. */
  used(tipIndex: number): void {
    this.#doubts.used(tipIndex);
  }

  /**
   * Reads the unknown state. The Sequence of an account that cannot sign stays unknown. `applied` is the
   * highest Sequence that a validated ledger is known to have applied.
   */
  async refresh(
    store: Pick<EventStore, 'versionOf' | 'head'>,
    gateway: Pick<LedgerGateway, 'account' | 'servers'>,
    terms: { readonly tipIndex: number; readonly feeDrops: number; readonly applied: number },
  ): Promise<void> {
    // The account could not sign in this ledger: ask again at the next one.
    if (this.#lackedAt === terms.tipIndex) return;
    await this.fence.read(store);
    if (this.#validatedSequence !== null) return;
    this.#doubts.judge(terms);
    const account = await gateway.account(this.address, terms.tipIndex, this.#doubts.count);
    this.#lack = this.#lackOf(account, terms.feeDrops);
    this.#validatedSequence = this.#lack === null ? (account?.sequence ?? null) : null;
    this.#lackedAt = this.#lack === null ? null : terms.tipIndex;
    if (this.#validatedSequence !== null) this.#doubts.stated(this.#validatedSequence);
    // The signer's own trouble is no statement of a server.
    else if (this.#lack !== 'signerUnavailable') this.#doubts.lacked(gateway.servers().length);
    this.#asOf = await store.head();
  }

  #lackOf(account: LedgerAccount | null, feeDrops: number): Lack | null {
    if (account === null || account.balanceDrops < BigInt(feeDrops * leastTransactions)) {
      return 'unfunded';
    }
    try {
      const isOurs = this.signer !== null && isAuthorised(this.signer, account);
      return isOurs ? null : 'keyNotAuthorised';
    } catch (error) {
      if (error instanceof SignerUnavailable) return 'signerUnavailable';
      throw error;
    }
  }
}
