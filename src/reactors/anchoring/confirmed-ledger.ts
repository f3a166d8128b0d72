import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, LedgerStatus } from '../../ledger/contract.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import type { AnchoringFold } from './anchoring-fold.ts';
import { confirmLedger, joinLedger, type KnownLedger } from './ledger-identity.ts';

export type Connected = Extract<LedgerStatus, { connected: true }>;

interface ConfirmedLedgerDeps {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
}

/** Whether the servers that are connected show the ledger that the log speaks of. */
export class ConfirmedLedger {
  readonly #deps: ConfirmedLedgerDeps;
  readonly #fold: AnchoringFold;
  readonly #onConfirmed: () => void;
  /** The ledger that the servers of an epoch were confirmed to show. */
  #confirmed: { readonly ledgerId: string; readonly epoch: string } | null = null;

  constructor(deps: ConfirmedLedgerDeps, fold: AnchoringFold, onConfirmed: () => void) {
    this.#deps = deps;
    this.#fold = fold;
    this.#onConfirmed = onConfirmed;
  }

  /** Null until it is known and confirmed. */
  get ledgerId(): string | null {
    const confirmed = this.#confirmed?.ledgerId ?? null;
    return this.#fold.ledger?.ledgerId === confirmed ? confirmed : null;
  }

  /** It is to be confirmed again. */
  doubt(): void {
    this.#confirmed = null;
  }

  /**
   * The ledger, confirmed to be the one that these servers show; a log that knows none joins theirs.
   * `behind` while they have not come as far as it was seen, null while it is not known. Rejects with
   * `OtherLedger`.
   */
  async confirm(status: Connected): Promise<KnownLedger | 'behind' | null> {
    const { gateway, store, locks } = this.#deps;
    const { ledger, network } = this.#fold;
    if (ledger === null) {
      // Of several processes one joins; all read in the log which ledger that was.
      if ((await locks.hold(`join ${network}`)) === null) return null;
      const isCaughtUp = await this.#isCaughtUp();
      // The log may have named it, and servers may have changed, while these were asked.
      const isDue = isCaughtUp && this.#fold.ledger === null && this.isOfEpoch(status.epoch);
      if (isDue) await joinLedger(store, { ...status, network });
      return null;
    }
    const { ledgerId } = ledger;
    const { epoch, tip } = status;
    const isConfirmed = this.#confirmed?.ledgerId === ledgerId && this.#confirmed.epoch === epoch;
    if (!isConfirmed || tip.index < ledger.tip.index) {
      this.#confirmed = null;
      if (!(await confirmLedger(gateway, ledger, tip))) return 'behind';
      // One that was not compared was set aside, and the tip may have been its own.
      if (!this.isOfEpoch(epoch)) return null;
      this.#onConfirmed();
      this.#confirmed = { ledgerId, epoch };
    }
    return ledger;
  }

  /** Whether the servers that can be asked now are those of this epoch. */
  isOfEpoch(epoch: string): boolean {
    const now = this.#deps.gateway.current();
    return now.connected && now.epoch === epoch;
  }

  async #isCaughtUp(): Promise<boolean> {
    return this.#fold.position >= (await this.#deps.store.head());
  }
}
