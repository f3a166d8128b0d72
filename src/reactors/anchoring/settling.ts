import type { AnchoringFold } from '../../anchoring-state/anchoring-fold.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';
import { AccountFence } from './account-fence.ts';
import type { AccountHolds } from './account-holds.ts';
import type { Anchorable } from './anchorable.ts';
import type { ConfirmedLedger, Connected } from './confirmed-ledger.ts';
import type { LedgerReader, Settled } from './ledger-reader.ts';
import { outstandingOn } from './outstanding.ts';
import { BrokenChain } from './read-chain.ts';
import { type SettlementDeps, settle } from './settlement.ts';
import type { Submission } from './submission.ts';
import { type BatchTracing, traceBatch } from './trace-batch.ts';

interface SettlingDeps extends BatchTracing {
  readonly store: EventStore;
  readonly gateway: Pick<LedgerGateway, 'name' | 'shown' | 'shownBefore'>;
  readonly fold: AnchoringFold;
  readonly ledger: ConfirmedLedger;
  readonly holds: AccountHolds;
  readonly reader: LedgerReader;
  readonly submission: Submission;
}

/** Settles outstanding transactions by what validated ledgers, or an operator, decide. */
export class Settling {
  readonly #deps: SettlingDeps;
  readonly #goneFences = new Map<string, AccountFence>();

  constructor(deps: SettlingDeps) {
    this.#deps = deps;
  }

  /** Settles transactions that were signed for a ledger that an operator declared gone. */
  async settleGone(): Promise<void> {
    for (const ledgerId of this.#deps.fold.gone) {
      const fates = [...outstandingOn(this.#deps.fold.backlog, ledgerId).values()].map((item) => ({
        item,
        fate: { fate: 'ledgerGone' } as const,
      }));
      await this.#record(this.#settlementDeps(this.#fenceOfGone), fates);
    }
  }

  /**
   * Records the fates that validated ledgers up to the status's tip decide. Then submits again the
   * transactions that are due.
   */
  async settle(status: Connected, ledgerId: string): Promise<void> {
    const deps = {
      ...this.#settlementDeps(this.#fenceOfHeld),
      // Before `prepare` can sign for the item again.
      onSettled: (of: Anchorable) => of.postpone(status.tip.index),
    };
    const record = async (fates: readonly Settled[]) => {
      // The ledgers may have been read from a server that was not confirmed.
      if (!this.#deps.ledger.isOfEpoch(status.epoch))
        throw new LedgerUnavailable('servers changed');
      for (const { item, fate } of fates) {
        // Somebody else may have used the transaction's Sequence.
        if (fate.fate === 'absent') this.#deps.holds.of(item.signed.account)?.forget();
      }
      await this.#record(deps, fates);
    };
    try {
      await this.#deps.reader.advance(status.tip, this.#deps.holds.outstanding(ledgerId), record);
    } catch (error) {
      if (error instanceof BrokenChain) this.#deps.ledger.doubt();
      throw error;
    }
    await Promise.all([
      this.#note(ledgerId, status),
      this.#resend(ledgerId, Math.min(status.tip.index, this.#deps.reader.readTo)),
    ]);
  }

  /**
   * Notes the tip as known once a server shows its ledger: a server may report any tip. A server that
   * has connected meanwhile may show a ledger of another chain.
   */
  async #note(ledgerId: string, { tip, epoch }: Connected): Promise<void> {
    const { fold, gateway, ledger, reader } = this.#deps;
    if (fold.ledger?.tip.hash === tip.hash) return;
    const shown =
      reader.tipRead(tip) ??
      ledger.tipShown(tip) ??
      (await gateway.shown(tip)) ??
      (await gateway.shownBefore(tip));
    if (shown !== null && ledger.isOfEpoch(epoch)) fold.reached(ledgerId, shown);
  }

  async #resend(ledgerId: string, readTo: number): Promise<void> {
    // Reading the ledgers takes time, in which a lock may have been lost.
    const submittable = await this.#deps.holds.submittable(ledgerId);
    const outstanding = this.#deps.holds.outstanding(ledgerId);
    await this.#deps.submission.resend(submittable, readTo, outstanding);
  }

  async #record(deps: SettlementDeps, fates: Parameters<typeof settle>[1]): Promise<void> {
    if (fates.length === 0) return;
    await traceBatch(this.#deps, 'anchoring settle', fates.length, () => settle(deps, fates));
  }

  #settlementDeps(fenceOf: SettlementDeps['fenceOf']): SettlementDeps {
    const position = () => this.#deps.fold.position;
    return { store: this.#deps.store, backlog: this.#deps.fold.backlog, fenceOf, position };
  }

  readonly #fenceOfHeld: SettlementDeps['fenceOf'] = ({ ledgerId, account }) => {
    const hold = this.#deps.holds.of(account);
    return hold?.ledgerId === ledgerId ? hold.fence : new AccountFence(ledgerId, account);
  };

  /** No process locks accounts on a ledger that is gone: the first process to come settles. */
  readonly #fenceOfGone: SettlementDeps['fenceOf'] = ({ ledgerId, account }) => {
    const key = `${ledgerId} ${account}`;
    const fence = this.#goneFences.get(key) ?? new AccountFence(ledgerId, account);
    this.#goneFences.set(key, fence);
    return fence;
  };
}
