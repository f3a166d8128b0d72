import type { Network } from '../../domain/network.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { LedgerTip } from '../../ledger/contract.ts';
import { Backlog, type OpenGapFill } from './backlog.ts';
import { evolveKnownLedger, type KnownLedger } from './ledger-identity.ts';

/** What a restart needs besides the position. */
export interface AnchoringState {
  readonly proofIds: readonly ProofId[];
  readonly gapFills: readonly OpenGapFill[];
  readonly ledger: KnownLedger | null;
  /** Ledgers that were declared gone. */
  readonly gone: readonly string[];
}

/** What is open on a network. `queued` ones are counted under pending or processing too. */
export interface AnchoringSummary {
  readonly ledger: KnownLedger | null;
  readonly pending: number;
  readonly processing: number;
  readonly queued: number;
  readonly oldestRequestedAt: string | null;
}

/** What the log says about the anchoring on one network: the open proofs, and the ledger's name. */
export class AnchoringFold {
  readonly network: Network;
  readonly backlog: Backlog;
  readonly gone = new Set<string>();
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
    const { backlog, gone, ledger } = this;
    const [proofIds, gapFills] = [backlog.proofIds(), [...backlog.gapFills()]];
    return { proofIds, gapFills, ledger, gone: [...gone] };
  }

  get summary(): AnchoringSummary {
    const open = [...this.backlog.pending(), ...this.backlog.processing()];
    const pending = open.filter(({ state }) => state.status === 'pending').length;
    const times = open.map(({ state }) => state.request.requestedAt).sort();
    return {
      ledger: this.#ledger,
      pending,
      processing: open.length - pending,
      queued: open.filter(({ state }) => state.queued).length,
      oldestRequestedAt: times[0] ?? null,
    };
  }

  /** Goes on from a saved state, as of `position`. */
  async restore(store: EventStore, position: number, state: AnchoringState): Promise<void> {
    this.#position = position;
    this.#ledger = state.ledger;
    for (const ledgerId of state.gone) this.gone.add(ledgerId);
    this.backlog.adoptGapFills(state.gapFills);
    await this.backlog.adopt(store, state.proofIds);
  }

  /** Folds a stretch of the log that ends at `position`. */
  observe(events: readonly StoredEvent[], position: number): void {
    for (const event of events) {
      if (event.type === 'LedgerGone') {
        this.gone.add(event.data.ledgerId);
        this.backlog.forgetPace();
      }
      this.#ledger = evolveKnownLedger(this.#ledger, event, this.network);
    }
    this.backlog.observe(events);
    this.#position = position;
  }

  /** The ledger was read up to here. Nothing if it was declared gone meanwhile. */
  reached(ledgerId: string, tip: LedgerTip): void {
    if (this.#ledger?.ledgerId === ledgerId) this.#ledger = { ledgerId, tip };
  }
}
