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

/** Confirms that the connected servers show the ledger that the log knows. */
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

  /** Id of the confirmed ledger; null until the ledger is known and confirmed. */
  get ledgerId(): string | null {
    const confirmed = this.#confirmed?.ledgerId ?? null;
    return this.#fold.ledger?.ledgerId === confirmed ? confirmed : null;
  }

  /** Requires a new confirmation. */
  doubt(): void {
    this.#confirmed = null;
  }

  /**
   * Resolves with the ledger of the log, confirmed to be the one that these servers show. If the
   * log knows none, joins theirs. Resolves with `behind` while the servers have not reached the
   * newest known ledger, and with null while the ledger is unknown or unconfirmed. Rejects with
   * `OtherLedger` and `UnrecognisedLedger`.
   */
  async confirm(status: Connected): Promise<KnownLedger | 'behind' | null> {
    const { gateway, store, locks } = this.#deps;
    const { ledger, network } = this.#fold;
    if (ledger === null) {
      // One of several processes joins; all processes read from the log which ledger it was.
      if ((await locks.hold(`join ${network}`)) === null) return null;
      const isCaughtUp = await this.#isCaughtUp();
      // Meanwhile, the log may have named the ledger, or the servers may have changed.
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
      // A server that was not compared was set aside, and `tip` may have come from that server.
      if (!this.isOfEpoch(epoch)) return null;
      this.#onConfirmed();
      this.#confirmed = { ledgerId, epoch };
    }
    return ledger;
  }

  /**
   * The ledger of the log, if these servers were confirmed to show it and have reached its newest
   * known ledger; otherwise null.
   */
  confirmed(status: Connected): KnownLedger | null {
    const { ledger } = this.#fold;
    const isConfirmed =
      this.#confirmed?.ledgerId === ledger?.ledgerId && this.#confirmed?.epoch === status.epoch;
    return isConfirmed && ledger !== null && status.tip.index >= ledger.tip.index ? ledger : null;
  }

  /** Returns true if the available servers are those of this epoch. */
  isOfEpoch(epoch: string): boolean {
    const now = this.#deps.gateway.current();
    return now.connected && now.epoch === epoch;
  }

  async #isCaughtUp(): Promise<boolean> {
    return this.#fold.position >= (await this.#deps.store.head());
  }
}
