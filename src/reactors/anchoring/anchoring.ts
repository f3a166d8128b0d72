import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, LedgerStatus } from '../../ledger/contract.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { AccountFence } from './account-fence.ts';
import { AccountHold } from './account-hold.ts';
import { AnchoringFold } from './anchoring-fold.ts';
import { confirmLedger, joinLedger, type KnownLedger } from './ledger-identity.ts';
import { BrokenChain, LedgerReader, type Settled } from './ledger-reader.ts';
import { linkRevisions } from './link-revisions.ts';
import type { SignableProof } from './open-proofs.ts';
import { type Outstanding, outstandingOn } from './outstanding.ts';
import { maxBatch, prepareBatch, type SigningTerms } from './preparation.ts';
import { type SettlementDeps, settle } from './settlement.ts';
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

/** Why nothing is signed though nothing failed. */
export type Obstacle =
  | 'feeAboveLimit'
  | 'noAccount'
  | 'noFundedAccount'
  | 'keyNotAuthorised'
  | 'undecidedTransaction';

/** How many transactions of one account a server queues once fees have risen (rippled, TxQ). */
const queueLimit = 10;

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
  /** The ledger that the servers of an epoch were confirmed to show. */
  #confirmed: { readonly ledgerId: string; readonly epoch: string } | null = null;
  #holds: readonly AccountHold[] = [];
  readonly #goneFences = new Map<string, AccountFence>();
  #obstacle: Obstacle | null = null;

  constructor(deps: AnchoringDeps) {
    this.#deps = deps;
    this.fold = new AnchoringFold(deps.gateway.network);
    this.#reader = new LedgerReader(deps.gateway);
    this.#submission = new Submission(deps.gateway, (signed, answer) =>
      deps.onSubmitted?.(signed.transactionHash, answer.engineResult),
    );
  }

  /** What kept the last step from signing though nothing failed; null if nothing did. */
  get obstacle(): Obstacle | null {
    return this.#obstacle;
  }

  /** The ledger that proofs are anchored on; null until it is known and confirmed. */
  get ledgerId(): string | null {
    const confirmed = this.#confirmed?.ledgerId ?? null;
    return this.fold.ledger?.ledgerId === confirmed ? confirmed : null;
  }

  /**
   * Does what can be done now: confirms the ledger, settles what validated ledgers decide, signs for
   * waiting proofs and submits. Rejects on trouble with store or ledger, and with `OtherLedger`.
   */
  async step(): Promise<void> {
    const { gateway, locks } = this.#deps;
    const status = gateway.current();
    await this.#settleGone();
    if (!status.connected) return;
    const ledger = await this.#confirm(status);
    if (ledger === null) return;
    await locks.release(`join ${this.fold.network}`);
    await this.#takeHolds(ledger.ledgerId);
    await this.#settle(status, ledger.ledgerId);
    this.#obstacle = await this.#prepare(status, ledger.ledgerId);
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
    const { ledgerId } = ledger;
    const { epoch, tip } = status;
    const isConfirmed = this.#confirmed?.ledgerId === ledgerId && this.#confirmed.epoch === epoch;
    if (!isConfirmed || tip.index < ledger.tip.index) {
      this.#confirmed = null;
      if (!(await confirmLedger(gateway, ledger, tip))) return null;
      // One that was not compared was set aside, and the tip may have been its own.
      if (!this.#isOfEpoch(epoch)) return null;
      this.#reader.restart();
      this.#confirmed = { ledgerId, epoch };
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
      await settle(this.#settlementDeps(this.#fenceOfGone), fates);
    }
  }

  /** Takes what can be held of the configured accounts and of those with open transactions. */
  async #takeHolds(ledgerId: string): Promise<void> {
    const { locks } = this.#deps;
    const signers = this.#deps.signers.filter(({ address }) => !this.fold.retired.has(address));
    const known = new Map(this.#holds.map((hold) => [hold.address, hold]));
    const wanted = new Map<string, Signer | null>(signers.map((s) => [s.address, s]));
    for (const { signed } of outstandingOn(this.fold.backlog, ledgerId).values()) {
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

  async #settle(status: Connected, ledgerId: string): Promise<void> {
    const deps = this.#settlementDeps(this.#fenceOfHeld);
    const record = async (fates: readonly Settled[]) => {
      // What was read may come from a server that was not confirmed.
      if (!this.#isOfEpoch(status.epoch)) throw new LedgerUnavailable('servers changed');
      for (const { item, fate } of fates) {
        const hold = this.#holds.find(({ address }) => address === item.signed.account);
        // Its Sequence may have been used by somebody else.
        if (fate.fate === 'absent') hold?.forget();
      }
      await settle(deps, fates);
      for (const { item } of fates) {
        if (item.kind === 'proof') deps.backlog.postpone(item.proof.proofId, status.tip.index);
      }
    };
    try {
      await this.#reader.advance(status.tip, this.#ours(ledgerId), record);
    } catch (error) {
      if (error instanceof BrokenChain) this.#confirmed = null;
      throw error;
    }
    this.fold.reached(ledgerId, status.tip);
    this.#submission.resend(this.#ours(ledgerId), status.tip.index);
  }

  #settlementDeps(fenceOf: SettlementDeps['fenceOf']): SettlementDeps {
    const position = () => this.fold.position;
    return { store: this.#deps.store, backlog: this.fold.backlog, fenceOf, position };
  }

  readonly #fenceOfHeld: SettlementDeps['fenceOf'] = ({ ledgerId, account }) => {
    const hold = this.#holds.find(({ address }) => address === account);
    return hold?.ledgerId === ledgerId ? hold.fence : new AccountFence(ledgerId, account);
  };

  /** Nobody holds an account on a ledger that is gone: whoever comes first settles. */
  readonly #fenceOfGone: SettlementDeps['fenceOf'] = ({ ledgerId, account }) => {
    const key = `${ledgerId} ${account}`;
    const fence = this.#goneFences.get(key) ?? new AccountFence(ledgerId, account);
    this.#goneFences.set(key, fence);
    return fence;
  };

  /** Signs for what waits and submits it; what keeps it from doing so, or null. */
  async #prepare(status: Connected, ledgerId: string): Promise<Obstacle | null> {
    const { store, maxFeeDrops } = this.#deps;
    const { tip, openLedgerFeeDrops: feeDrops } = status;
    if (feeDrops > maxFeeDrops) return 'feeAboveLimit';
    const maxOutstanding = this.#maxOutstanding(status);
    const terms: SigningTerms = { ledgerId, minLedger: tip.index, feeDrops, maxOutstanding };
    const { ready, obstacle } = await this.#readyHolds(tip.index, feeDrops);
    for (;;) {
      // An operator may have declared it gone since this step began.
      if (this.fold.ledger?.ledgerId !== ledgerId) return null;
      const linked = await linkRevisions(store, this.fold.backlog, tip.index);
      const shares = this.#shareOut(ready, maxOutstanding, tip.index);
      const deps = { store, backlog: this.fold.backlog, position: () => this.fold.position };
      const prepared = await Promise.all(
        shares.map(({ hold, proofs, sequences }) =>
          prepareBatch(deps, hold, proofs, sequences, terms),
        ),
      );
      for (const batch of prepared) this.#submission.send(batch, tip.index);
      if (!linked && prepared.every((batch) => batch.length === 0)) return obstacle;
    }
  }

  /**
   * How many of one account may be under way: its places in the queue once fees have risen, before
   * that also its part of what an open ledger takes.
   */
  #maxOutstanding(status: Connected): number {
    if (status.openLedgerFeeDrops > status.baseFeeDrops) return queueLimit;
    const part = Math.ceil(status.expectedLedgerSize / this.#deps.signers.length);
    return Math.min(Math.max(part, queueLimit), this.#deps.maxOutstanding);
  }

  /** Shares the proofs that wait out among the accounts, evenly as far as each has room. */
  #shareOut(ready: readonly AccountHold[], maxOutstanding: number, tipIndex: number) {
    const outstanding = this.#outstandingSequences();
    const shares = ready.map((hold) => {
      const sequences = outstanding.get(hold.address) ?? new Set<number>();
      const room = Math.max(0, Math.min(maxOutstanding - sequences.size, maxBatch));
      return { hold, sequences, room, proofs: [] as SignableProof[] };
    });
    const room = shares.reduce((sum, share) => sum + share.room, 0);
    const count = Math.min(room, this.#submission.room);
    const due = this.fold.backlog.firstSignable(count, tipIndex);
    let open = shares
      .filter((share) => share.room > 0)
      .sort((a, b) => a.sequences.size - b.sequences.size);
    for (const proof of due) {
      const next = open.shift();
      if (next === undefined) break;
      next.proofs.push(proof);
      if (next.proofs.length < next.room) open = [...open, next];
    }
    return shares;
  }

  /** The accounts that can be signed with now; if there is none, why. */
  async #readyHolds(tipIndex: number, feeDrops: number) {
    const { store, gateway } = this.#deps;
    const holds = this.#holds.filter((hold) => hold.held && hold.signer !== null);
    await Promise.all(holds.map((hold) => hold.refresh(store, gateway, { tipIndex, feeDrops })));
    const able = holds.filter((hold) => hold.validatedSequence !== null);
    const stuck = this.#stuckAccounts(tipIndex);
    const usable = able.filter(({ address }) => !stuck.has(address));
    const obstacle = usable.length > 0 ? null : this.#obstacleOf(holds, able);
    return { ready: usable.filter((hold) => hold.isReady(this.fold.position)), obstacle };
  }

  /** Why none of the accounts held here can be signed with; null if another process holds them. */
  #obstacleOf(holds: readonly AccountHold[], able: readonly AccountHold[]): Obstacle | null {
    if (this.#deps.signers.every(({ address }) => this.fold.retired.has(address))) {
      return 'noAccount';
    }
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
    const { backlog, ledger } = this.fold;
    if (ledger === null) return new Set();
    const signed = [...outstandingOn(backlog, ledger.ledgerId).values()].map((item) => item.signed);
    const past = signed.filter(({ lastLedgerSequence }) => lastLedgerSequence < tipIndex);
    return new Set(past.map(({ account }) => account));
  }

  /** Whether the servers that can be asked now are those of this epoch. */
  #isOfEpoch(epoch: string): boolean {
    const now = this.#deps.gateway.current();
    return now.connected && now.epoch === epoch;
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

  /** The Sequences that are outstanding on each account. */
  #outstandingSequences(): Map<string, Set<number>> {
    const found = new Map<string, Set<number>>();
    const ledgerId = this.fold.ledger?.ledgerId;
    if (ledgerId === undefined) return found;
    for (const { signed } of outstandingOn(this.fold.backlog, ledgerId).values()) {
      const sequences = found.get(signed.account);
      if (sequences) sequences.add(signed.sequence);
      else found.set(signed.account, new Set([signed.sequence]));
    }
    return found;
  }
}
