import type { AnchoringFold } from '../../anchoring-state/anchoring-fold.ts';
import { confirmLedger, type KnownLedger } from '../../anchoring-state/ledger-identity.ts';
import { joinLedger } from '../../commands/join-ledger.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway, LedgerStatus, LedgerTip } from '../../ledger/contract.ts';
import { maxLagLedgers } from '../../ledger/shown-tip.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';

export type Connected = Extract<LedgerStatus, { connected: true }>;

interface ConfirmedLedgerDeps {
  readonly store: EventStore;
  readonly gateway: LedgerGateway;
  readonly locks: WorkLocks;
}

/**
 * Maximum number of ledgers between the newest known one and a reported tip that is used before a
 * server shows its ledger. Reading may lag behind honest servers, which take minutes for so many.
 */
const maxUnshown = 64;

/** Confirms that the connected servers show the ledger that the log knows. */
export class ConfirmedLedger {
  readonly #deps: ConfirmedLedgerDeps;
  readonly #fold: AnchoringFold;
  readonly #onConfirmed: () => void;
  /** The ledger that the servers of an epoch were confirmed to show. */
  #confirmed: { readonly ledgerId: string; readonly epoch: string } | null = null;
  /** The last tip beyond the known one that had to be shown, and was. */
  #shown: LedgerTip | null = null;

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
    this.#shown = null;
  }

  /**
   * Resolves with the ledger of the log, confirmed to be the one that these servers show. If the
   * log knows none, joins theirs. Resolves with `behind` while the servers have not reached the
   * newest known ledger, or report a newer one that they do not show. This matters if it is far newer,
   * or makes one of them seem to lag. Resolves with null while the ledger is unknown or unconfirmed.
   * Rejects with `OtherLedger` and `UnrecognisedLedger`.
   */
  async confirm(status: Connected): Promise<KnownLedger | 'behind' | null> {
    const { gateway, store, locks } = this.#deps;
    const { ledger, network } = this.#fold;
    if (ledger === null) {
      // One of several processes joins; all processes read from the log which ledger it was.
      if ((await locks.hold(`join ${network}`)) === null) return null;
      const isCaughtUp = await this.#isCaughtUp();
      const tip = (await gateway.shown(status.tip)) ?? (await gateway.shownBefore(status.tip));
      // Meanwhile, the log may have named the ledger, or the servers may have changed.
      const isDue = isCaughtUp && this.#fold.ledger === null && this.isOfEpoch(status.epoch);
      if (isDue && tip !== null) {
        await joinLedger(store, { ...status, tip, network }, { actor: 'anchoring' });
      }
      return null;
    }
    const { ledgerId } = ledger;
    const { epoch, tip } = status;
    const isDoubtful = isFarBeyond(ledger, tip) || (status.outruns && ledger.tip.hash !== tip.hash);
    if (isDoubtful && this.#shown?.hash !== tip.hash) {
      const shown = (await gateway.shown(tip)) ?? (await gateway.shownBefore(tip));
      // The server may only be slow: what was read from these servers stays read.
      if (shown === null) return 'behind';
      this.#shown = shown;
    }
    const isConfirmed = this.#confirmed?.ledgerId === ledgerId && this.#confirmed.epoch === epoch;
    if (!isConfirmed || tip.index < ledger.tip.index) {
      this.#confirmed = null;
      if (!(await confirmLedger(gateway, ledger, tip))) return 'behind';
      // A server that was not compared was set aside, and `tip` may have come from that server.
      if (!this.isOfEpoch(epoch)) return null;
      this.#onConfirmed();
      this.#confirmed = { ledgerId, epoch };
      // Other servers, or those of another ledger, have shown an earlier one.
      if (this.#shown?.hash !== tip.hash) this.#shown = null;
    }
    return ledger;
  }

  /**
   * The ledger of the log, if these servers were confirmed to show it and have reached its newest
   * known ledger; otherwise null. Null too if they report a far newer one, or one that no server has
   * shown and that makes another one seem to lag: what is signed for it could live for ever.
   */
  confirmed({ epoch, tip, outruns }: Connected): KnownLedger | null {
    const { ledger } = this.#fold;
    const isConfirmed =
      this.#confirmed?.ledgerId === ledger?.ledgerId && this.#confirmed?.epoch === epoch;
    if (!isConfirmed || ledger === null) return null;
    if (tip.index < ledger.tip.index || isFarBeyond(ledger, tip)) return null;
    const shownUpTo = Math.max(ledger.tip.index, this.#shown?.index ?? 0);
    return outruns && tip.index - shownUpTo > maxLagLedgers ? null : ledger;
  }

  /** The tip as a server has shown it, if it had to be shown; otherwise null. */
  tipShown(tip: LedgerTip): LedgerTip | null {
    return this.#shown?.hash === tip.hash ? this.#shown : null;
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

function isFarBeyond(known: KnownLedger, tip: LedgerTip): boolean {
  return tip.index - known.tip.index > maxUnshown;
}
