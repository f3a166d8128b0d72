import type { Network } from '../../domain/network.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { LedgerGateway, LedgerStatus } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountHold } from './account-hold.ts';
import { Backlog, type OpenGapFill } from './backlog.ts';
import {
  confirmLedger,
  evolveKnownLedger,
  joinLedger,
  type KnownLedger,
} from './ledger-identity.ts';
import { BrokenChain, LedgerReader } from './ledger-reader.ts';
import { type Outstanding, outstandingOn } from './outstanding.ts';
import { maxBatch, prepareBatch, type SigningTerms } from './preparation.ts';
import { type Fate, settle } from './settlement.ts';
import { Submission } from './submission.ts';

export interface AnchoringDeps {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
  readonly signers: readonly Signer[];
  readonly maxFeeDrops: number;
  /** Outstanding transactions of one account at most. */
  readonly maxOutstanding: number;
  readonly onSubmitted?: (hash: string, engineResult: string) => void;
}

/** What a restart needs besides the position: ids of open proofs, open gap fills, the known ledger. */
export interface AnchoringState {
  readonly proofIds: readonly string[];
  readonly gapFills: readonly OpenGapFill[];
  readonly ledger: KnownLedger | null;
  /** Ledgers that were declared gone. */
  readonly gone: readonly string[];
}

type Connected = Extract<LedgerStatus, { connected: true }>;

/**
 * Anchors the proofs of one network. It is driven from outside: `observe` with the log in order,
 * `step` whenever the log or the ledger has moved. A step may fail at any point and be repeated; it
 * starts from what the log and the ledger say, so starting up and recovering are the same code.
 */
export class Anchoring {
  readonly network: Network;
  readonly #deps: AnchoringDeps;
  readonly #backlog: Backlog;
  readonly #reader: LedgerReader;
  readonly #submission: Submission;
  #position = 0;
  #ledger: KnownLedger | null = null;
  readonly #gone = new Set<string>();
  #confirmed = false;
  #holds: readonly AccountHold[] = [];
  #obstacle: string | null = null;

  constructor(deps: AnchoringDeps) {
    this.#deps = deps;
    this.network = deps.gateway.network;
    this.#backlog = new Backlog(this.network);
    this.#reader = new LedgerReader(deps.gateway);
    this.#submission = new Submission(deps.gateway, (signed, answer) =>
      deps.onSubmitted?.(signed.transactionHash, answer.engineResult),
    );
  }

  /** Position up to which the log was observed. */
  get position(): number {
    return this.#position;
  }

  /** What kept the last step from signing though nothing failed; null if nothing did. */
  get obstacle(): string | null {
    return this.#obstacle;
  }

  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  get ledgerId(): string | null {
    return this.#confirmed ? (this.#ledger?.ledgerId ?? null) : null;
  }

  /** How many proofs are not settled. */
  get backlogSize(): number {
    return this.#backlog.size;
  }

  get state(): AnchoringState {
    const gapFills = [...this.#backlog.gapFills()];
    const proofIds = this.#backlog.proofIds();
    return { proofIds, gapFills, ledger: this.#ledger, gone: [...this.#gone] };
  }

  /** Goes on from a saved state, as of `position`. */
  async restore(position: number, state: AnchoringState): Promise<void> {
    this.#position = position;
    this.#ledger = state.ledger;
    for (const ledgerId of state.gone) this.#gone.add(ledgerId);
    this.#backlog.adoptGapFills(state.gapFills);
    await this.#backlog.adopt(this.#deps.store, state.proofIds as never);
  }

  /** Folds a stretch of the log that ends at `position`. */
  observe(events: readonly StoredEvent[], position: number): void {
    for (const event of events) {
      if (event.type === 'LedgerGone') this.#gone.add(event.data.ledgerId);
      const known = evolveKnownLedger(this.#ledger, event, this.network);
      if (known?.ledgerId !== this.#ledger?.ledgerId) this.#confirmed = false;
      this.#ledger = known;
    }
    this.#backlog.observe(events);
    this.#position = position;
  }

  /** The connection was lost: which ledger is at its other end must be confirmed again. */
  disconnected(): void {
    this.#confirmed = false;
  }

  /**
   * Does what can be done now: confirms the ledger, settles what validated ledgers decide, signs for
   * waiting proofs and submits. Rejects on trouble with store or ledger, and with `OtherLedger`.
   */
  async step(): Promise<void> {
    const status = this.#deps.gateway.current();
    this.#obstacle = null;
    await this.#settleGone();
    if (!status.connected) return this.disconnected();
    const ledger = await this.#confirm(status);
    if (ledger === null) return;
    await this.#takeHolds(ledger.ledgerId);
    await this.#settle(status, ledger.ledgerId);
    await this.#prepare(status, ledger.ledgerId);
  }

  async #confirm(status: Connected): Promise<KnownLedger | null> {
    const { gateway, store, locks } = this.#deps;
    if (this.#ledger === null) {
      // Of several processes one joins; the others read of it in the log.
      if ((await locks.hold(`join ${this.network}`)) === null) return null;
      if (!(await this.#isCaughtUp())) return null;
      await joinLedger(store, { ...status, network: this.network });
    } else if (!this.#confirmed || status.tip.index < this.#ledger.tip.index) {
      this.#confirmed = false;
      if (!(await confirmLedger(gateway, this.#ledger, status.tip))) return null;
      this.#reader.restart();
      this.#confirmed = true;
    }
    return this.#ledger;
  }

  /** What was signed for a ledger that an operator declared gone is settled with it. */
  async #settleGone(): Promise<void> {
    for (const ledgerId of this.#gone) {
      const fates = [...outstandingOn(this.#backlog, ledgerId).values()].map((item) => ({
        item,
        fate: { fate: 'ledgerGone' } as const,
      }));
      await settle({ store: this.#deps.store, backlog: this.#backlog }, fates);
    }
  }

  /** Takes what can be held of the configured accounts and of those with open transactions. */
  async #takeHolds(ledgerId: string): Promise<void> {
    const { signers, locks } = this.#deps;
    const known = new Map(this.#holds.map((hold) => [hold.address, hold]));
    const wanted = new Map<string, Signer | null>(signers.map((s) => [s.address, s]));
    for (const { signed } of outstandingOn(this.#backlog, ledgerId).values()) {
      if (!wanted.has(signed.account)) wanted.set(signed.account, null);
    }
    this.#holds = [...wanted].map(([address, signer]) => {
      const hold = known.get(address);
      return hold?.ledgerId === ledgerId ? hold : new AccountHold(address, ledgerId, signer);
    });
    await Promise.all(this.#holds.map((hold) => hold.take(locks)));
  }

  async #settle(status: Connected, ledgerId: string): Promise<void> {
    const deps = { store: this.#deps.store, backlog: this.#backlog };
    const record = async (fates: readonly { item: Outstanding; fate: Fate }[]) => {
      await settle(deps, fates);
      for (const { item, fate } of fates) {
        const hold = this.#holds.find(({ address }) => address === item.signed.account);
        // Its Sequence may have been used by somebody else; a gap fill moves the account's stream.
        if (fate.fate === 'absent' || item.kind === 'gapFill') hold?.forget();
      }
    };
    try {
      await this.#reader.advance(status.tip, this.#ours(ledgerId), record);
    } catch (error) {
      if (error instanceof BrokenChain) this.disconnected();
      throw error;
    }
    // An operator may have declared it gone meanwhile.
    if (this.#ledger?.ledgerId === ledgerId) this.#ledger = { ledgerId, tip: status.tip };
    this.#submission.resend(this.#ours(ledgerId), status.tip.index);
  }

  async #prepare(status: Connected, ledgerId: string): Promise<void> {
    const { store, maxFeeDrops, maxOutstanding } = this.#deps;
    const { tip, openLedgerFeeDrops: feeDrops } = status;
    if (feeDrops > maxFeeDrops) {
      this.#obstacle = `the ledger asks ${feeDrops} drops, more than MAX_FEE_DROPS ${maxFeeDrops}`;
      return;
    }
    const terms: SigningTerms = { ledgerId, minLedger: tip.index, feeDrops, maxOutstanding };
    const deps = { store, backlog: this.#backlog };
    for (const hold of this.#holds) {
      if (!hold.held || hold.signer === null || !(await this.#isReady(hold))) continue;
      for (;;) {
        const sequences = this.#sequencesOf(hold);
        const room = Math.min(maxOutstanding - sequences.size, maxBatch);
        const proofs = this.#backlog.firstPending(room, tip.index);
        const batch = await prepareBatch(deps, hold, proofs, sequences, terms);
        if (batch.length === 0) break;
        this.#submission.send(batch, tip.index);
      }
    }
  }

  /** Whether all is known that the next signature needs. */
  async #isReady(hold: AccountHold): Promise<boolean> {
    if (hold.isKnown) return true;
    await hold.refresh(this.#deps.store, this.#deps.gateway);
    // What somebody else, or an append with a lost answer, put on record must be folded first.
    const caughtUp = await this.#isCaughtUp();
    if (hold.validatedSequence === null) {
      this.#obstacle = `account ${hold.address} is not on the ledger: fund it`;
    }
    if (!caughtUp) hold.forget();
    return hold.isKnown;
  }

  async #isCaughtUp(): Promise<boolean> {
    return this.#position >= (await this.#deps.store.head());
  }

  /** What is outstanding on accounts that this process holds. */
  #ours(ledgerId: string): Map<string, Outstanding> {
    const held = new Set(this.#holds.filter((hold) => hold.held).map((hold) => hold.address));
    const all = outstandingOn(this.#backlog, ledgerId);
    return new Map([...all].filter(([, item]) => held.has(item.signed.account)));
  }

  #sequencesOf({ address, ledgerId }: AccountHold): Set<number> {
    const signed = [...this.#ours(ledgerId).values()].map((item) => item.signed);
    return new Set(signed.filter((s) => s.account === address).map((s) => s.sequence));
  }
}
