import type { Network } from '../domain/network.ts';
import type { ProofId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { LedgerTip } from '../ledger/contract.ts';
import type { LoadedLog } from '../loading/load-log.ts';
import { Backlog } from './backlog.ts';
import { evolveKnownLedger, type KnownLedger } from './ledger-identity.ts';
import type { OpenGapFill } from './open-gap-fills.ts';

/** State to save for a restart, besides the position. */
export interface AnchoringState {
  readonly proofIds: readonly ProofId[];
  readonly gapFills: readonly OpenGapFill[];
  readonly ledger: KnownLedger | null;
  /** Ledgers that an operator declared gone. */
  readonly gone: readonly string[];
  /** Addresses of retired accounts; absent in states that older versions saved. */
  readonly retired?: readonly string[];
  /** For earlier releases, and for the audit. Absent in states of before checkpoints were anchored. */
  readonly log?: LoadedLog;
}

/** Summary of the open proofs of a network. `queued` proofs also count as pending or processing. */
export interface AnchoringSummary {
  readonly ledger: KnownLedger | null;
  readonly pending: number;
  readonly processing: number;
  readonly queued: number;
  readonly oldestRequestedAt: string | null;
  /** Request time of the oldest queued proof. */
  readonly oldestQueuedAt: string | null;
  /** Addresses of retired accounts, which sign nothing any more. */
  readonly retired: readonly string[];
  /** Number of signed transactions with an unknown fate, by account. */
  readonly outstanding: Readonly<Record<string, number>>;
}

/**
 * Anchoring state of one network, folded from the log: open proofs, known ledger, retired accounts.
 */
export class AnchoringFold {
  readonly network: Network;
  readonly backlog: Backlog;
  readonly gone = new Set<string>();
  /** Retired accounts of this network, on any of its ledgers; they sign nothing any more. */
  readonly retired = new Set<string>();
  #position = 0;
  #ledger: KnownLedger | null = null;

  constructor(network: Network) {
    this.network = network;
    this.backlog = new Backlog(network);
  }

  /** Position up to which the log was folded. */
  get position(): number {
    return this.#position;
  }

  get ledger(): KnownLedger | null {
    return this.#ledger;
  }

  get state(): AnchoringState {
    const { backlog, gone, retired, ledger } = this;
    const [proofIds, gapFills] = [backlog.proofIds(), [...backlog.gapFills.values()]];
    const { log } = backlog.checkpoint;
    return { proofIds, gapFills, ledger, gone: [...gone], retired: [...retired], log };
  }

  get summary(): AnchoringSummary {
    const counts = { pending: 0, processing: 0, queued: 0 };
    let oldestRequestedAt: string | null = null;
    let oldestQueuedAt: string | null = null;
    for (const { state } of [...this.backlog.pending(), ...this.backlog.processing()]) {
      const { requestedAt } = state.request;
      counts[state.status] += 1;
      oldestRequestedAt = earlier(oldestRequestedAt, requestedAt);
      if (!state.queued) continue;
      counts.queued += 1;
      oldestQueuedAt = earlier(oldestQueuedAt, requestedAt);
    }
    return {
      ledger: this.#ledger,
      ...counts,
      oldestRequestedAt,
      oldestQueuedAt,
      retired: [...this.retired],
      outstanding: this.#outstandingByAccount(),
    };
  }

  #outstandingByAccount(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { ledgerId, account } of this.backlog.signed()) {
      if (ledgerId !== this.#ledger?.ledgerId) continue;
      counts[account] = (counts[account] ?? 0) + 1;
    }
    return counts;
  }

  /** Continues from a saved state as of `position`. */
  async restore(store: EventStore, position: number, state: AnchoringState): Promise<void> {
    this.#position = position;
    this.#ledger = state.ledger;
    for (const ledgerId of state.gone) this.gone.add(ledgerId);
    for (const address of state.retired ?? []) this.retired.add(address);
    // Not from `state.log`: an earlier release saved it without fields that are needed now.
    await this.backlog.checkpoint.read(store);
    this.backlog.gapFills.adopt(state.gapFills);
    await this.backlog.adopt(store, state.proofIds);
  }

  /** Folds a section of the log that ends at `position`. */
  observe(events: readonly StoredEvent[], position: number): void {
    for (const event of events) {
      if (event.type === 'LedgerGone') {
        this.gone.add(event.data.ledgerId);
        this.backlog.forgetPace();
      }
      if (event.type === 'AccountRetired' && event.data.ledgerId === this.#ledger?.ledgerId) {
        this.retired.add(event.data.account);
      }
      this.#ledger = evolveKnownLedger(this.#ledger, event, this.network);
    }
    this.backlog.observe(events);
    this.#position = position;
  }

  /**
   * Notes that the ledger was read up to this tip, unless it was declared gone meanwhile. A tip that
   * no server has shown must not get here: it is saved, and servers are compared with it.
   */
  reached(ledgerId: string, tip: LedgerTip): void {
    const known = this.#ledger;
    const isNewer = known?.ledgerId === ledgerId && tip.index > known.tip.index;
    if (isNewer) this.#ledger = { ledgerId, tip };
  }
}

function earlier(known: string | null, at: string): string {
  return known === null || at < known ? at : known;
}
