import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, LedgerStatus } from '../../ledger/contract.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountHold } from './account-hold.ts';
import { AnchoringFold } from './anchoring-fold.ts';
import { confirmLedger, joinLedger, type KnownLedger } from './ledger-identity.ts';
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

type Connected = Extract<LedgerStatus, { connected: true }>;

/**
 * Anchors the proofs of one network. It is driven from outside: `fold.observe` with the log in
 * order, `step` whenever the log or the ledger has moved. A step may fail at any point and be repeated; it
 * starts from what the log and the ledger say, so starting up and recovering are the same code.
 */
export class Anchoring {
  readonly fold: AnchoringFold;
  readonly #deps: AnchoringDeps;
  readonly #reader: LedgerReader;
  readonly #submission: Submission;
  /** The ledger that the server was confirmed to show; null if that has to be looked at. */
  #confirmed: string | null = null;
  #holds: readonly AccountHold[] = [];
  #obstacle: string | null = null;

  constructor(deps: AnchoringDeps) {
    this.#deps = deps;
    this.fold = new AnchoringFold(deps.gateway.network);
    this.#reader = new LedgerReader(deps.gateway);
    this.#submission = new Submission(deps.gateway, (signed, answer) =>
      deps.onSubmitted?.(signed.transactionHash, answer.engineResult),
    );
  }

  /** What kept the last step from signing though nothing failed; null if nothing did. */
  get obstacle(): string | null {
    return this.#obstacle;
  }

  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  get ledgerId(): string | null {
    return this.fold.ledger?.ledgerId === this.#confirmed ? this.#confirmed : null;
  }

  /** The connection was lost: which ledger is at its other end must be confirmed again. */
  disconnected(): void {
    this.#confirmed = null;
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
    const { ledger, network } = this.fold;
    if (ledger === null) {
      // Of several processes one joins; all read in the log which ledger that was.
      if ((await locks.hold(`join ${network}`)) === null) return null;
      if (await this.#isCaughtUp()) await joinLedger(store, { ...status, network });
      return null;
    }
    if (this.#confirmed !== ledger.ledgerId || status.tip.index < ledger.tip.index) {
      this.disconnected();
      if (!(await confirmLedger(gateway, ledger, status.tip))) return null;
      this.#reader.restart();
      this.#confirmed = ledger.ledgerId;
    }
    return ledger;
  }

  /** What was signed for a ledger that an operator declared gone is settled with it. */
  async #settleGone(): Promise<void> {
    for (const ledgerId of this.fold.gone) {
      const fates = [...outstandingOn(this.fold.backlog, ledgerId).values()].map((item) => ({
        item,
        fate: { fate: 'ledgerGone' } as const,
      }));
      await settle({ store: this.#deps.store, backlog: this.fold.backlog }, fates);
    }
  }

  /** Takes what can be held of the configured accounts and of those with open transactions. */
  async #takeHolds(ledgerId: string): Promise<void> {
    const { signers, locks } = this.#deps;
    const known = new Map(this.#holds.map((hold) => [hold.address, hold]));
    const wanted = new Map<string, Signer | null>(signers.map((s) => [s.address, s]));
    for (const { signed } of outstandingOn(this.fold.backlog, ledgerId).values()) {
      if (!wanted.has(signed.account)) wanted.set(signed.account, null);
    }
    this.#holds = [...wanted].map(([address, signer]) => {
      const hold = known.get(address);
      return hold?.ledgerId === ledgerId ? hold : new AccountHold(address, ledgerId, signer);
    });
    await Promise.all(this.#holds.map((hold) => hold.take(locks)));
  }

  async #settle(status: Connected, ledgerId: string): Promise<void> {
    const deps = { store: this.#deps.store, backlog: this.fold.backlog };
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
    this.fold.reached(ledgerId, status.tip);
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
    const deps = { store, backlog: this.fold.backlog };
    for (const hold of this.#holds) {
      if (!hold.held || hold.signer === null || !(await this.#isReady(hold))) continue;
      for (;;) {
        const sequences = this.#sequencesOf(hold);
        const room = Math.min(maxOutstanding - sequences.size, maxBatch);
        const proofs = this.fold.backlog.firstPending(room, tip.index);
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
    return this.fold.position >= (await this.#deps.store.head());
  }

  /** What is outstanding on accounts that this process holds. */
  #ours(ledgerId: string): Map<string, Outstanding> {
    const held = new Set(this.#holds.filter((hold) => hold.held).map((hold) => hold.address));
    const all = outstandingOn(this.fold.backlog, ledgerId);
    return new Map([...all].filter(([, item]) => held.has(item.signed.account)));
  }

  #sequencesOf({ address, ledgerId }: AccountHold): Set<number> {
    const signed = [...this.#ours(ledgerId).values()].map((item) => item.signed);
    return new Set(signed.filter((s) => s.account === address).map((s) => s.sequence));
  }
}
