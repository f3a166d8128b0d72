import type { EventStore } from '../../event-store/event-store.ts';
import { isAuthorised } from '../../ledger/authorised-key.ts';
import type { LedgerAccount, LedgerGateway } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountFence } from './account-fence.ts';

/** An account that cannot pay for so many is not signed with. */
const leastTransactions = 20;

/** Why nothing can be signed with an account. */
export type Lack = 'unfunded' | 'keyNotAuthorised';

/**
 * One anchoring account on one ledger in the hands of this process: the lock says who may sign, the
 * version of the account's stream is the fence behind it. Without a signer, what is outstanding on
 * it is still settled.
 */
export class AccountHold {
  readonly address: string;
  readonly ledgerId: string;
  readonly signer: Signer | null;
  readonly fence: AccountFence;
  #heldSince: number | null = null;
  #validatedSequence: number | null = null;
  /** Newest ledger in which the account could not be signed with. */
  #lackedAt: number | null = null;
  #lack: Lack | null = null;
  /** What was on record when the Sequence was read must be folded before it is used. */
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

  /** Sequence that the ledger would apply next when it was asked; null if it is not known. */
  get validatedSequence(): number | null {
    return this.#validatedSequence;
  }

  /** What keeps it from being signed with, as of the newest ledger it was read in; null if nothing. */
  get lack(): Lack | null {
    return this.#lack;
  }

  /** Whether all is known that the next signature needs, the log being folded up to `position`. */
  isReady(position: number): boolean {
    const isFenced = this.fence.versionAt(position) !== null;
    return isFenced && this.#validatedSequence !== null && position >= this.#asOf;
  }

  /** Takes or keeps the lock. Where somebody else may have held it meanwhile, all is forgotten. */
  async take(locks: WorkLocks): Promise<void> {
    const since = await locks.hold(this.#lock);
    if (since !== this.#heldSince) this.forget();
    this.#heldSince = since;
  }

  /** Gives the lock back, for a process that can sign. */
  async release(locks: WorkLocks): Promise<void> {
    this.#heldSince = null;
    await locks.release(this.#lock);
  }

  get #lock(): string {
    return `anchoring ${this.ledgerId} ${this.address}`;
  }

  /** What was known of the account may be wrong: it is read again before the next signature. */
  forget(): void {
    this.fence.forget();
    this.#validatedSequence = null;
  }

  /** Reads what is not known; the Sequence of an account that cannot be signed with stays unknown. */
  async refresh(
    store: Pick<EventStore, 'versionOf' | 'head'>,
    gateway: Pick<LedgerGateway, 'account'>,
    terms: { readonly tipIndex: number; readonly feeDrops: number },
  ): Promise<void> {
    // What the ledger does not have now it is asked for again with its next one.
    if (this.#lackedAt === terms.tipIndex) return;
    await this.fence.read(store);
    if (this.#validatedSequence !== null) return;
    const account = await gateway.account(this.address, terms.tipIndex);
    this.#lack = this.#lackOf(account, terms.feeDrops);
    this.#validatedSequence = this.#lack === null ? (account?.sequence ?? null) : null;
    this.#lackedAt = this.#lack === null ? null : terms.tipIndex;
    this.#asOf = await store.head();
  }

  #lackOf(account: LedgerAccount | null, feeDrops: number): Lack | null {
    if (account === null || account.balanceDrops < BigInt(feeDrops * leastTransactions)) {
      return 'unfunded';
    }
    const isOurs = this.signer !== null && isAuthorised(this.signer, account);
    return isOurs ? null : 'keyNotAuthorised';
  }
}
