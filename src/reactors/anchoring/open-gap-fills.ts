import type { GapFillPrepared, GapFillSettled } from '../../domain/account/events.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/** A signed no-op with an unknown fate. */
export type OpenGapFill = GapFillPrepared['data'] & {
  /** Id of the GapFillPrepared event. */
  readonly eventId: string;
};

/**
 * Open gap fills, folded from the streams of the accounts. Events may come twice: from the log, and
 * from the process that appended them. A version that was folded before is ignored.
 */
export class OpenGapFills {
  readonly #open = new Map<string, OpenGapFill>();
  /** Version up to which each account's stream was folded. */
  readonly #versions = new Map<string, number>();
  readonly #onApplied: (gapFill: OpenGapFill) => void;

  /** `onApplied` is called when a validated ledger is known to contain a gap fill. */
  constructor(onApplied: (gapFill: OpenGapFill) => void) {
    this.#onApplied = onApplied;
  }

  values(): Iterable<OpenGapFill> {
    return this.#open.values();
  }

  has(transactionHash: string): boolean {
    return this.#open.has(transactionHash);
  }

  /** Adds gap fills of a saved state. */
  adopt(gapFills: readonly OpenGapFill[]): void {
    for (const gapFill of gapFills) this.#open.set(gapFill.transactionHash, gapFill);
  }

  /** Folds gap fills that were just appended to an account's stream, which is now at `version`. */
  prepared(stream: string, version: number, gapFills: readonly OpenGapFill[]): void {
    this.#noteVersion(stream, version);
    this.adopt(gapFills);
  }

  /** Folds a GapFillSettled that was just appended to an account's stream at `version`. */
  settled(stream: string, version: number, { transactionHash, outcome }: Settled): void {
    this.#noteVersion(stream, version);
    const gapFill = this.#open.get(transactionHash);
    if (gapFill && outcome === 'validated') this.#onApplied(gapFill);
    this.#open.delete(transactionHash);
  }

  /** Folds an event of the log. */
  fold(event: StoredEvent<GapFillPrepared | GapFillSettled>): void {
    const { stream, version, eventId } = event;
    if (version <= (this.#versions.get(stream) ?? 0)) return;
    if (event.type === 'GapFillSettled') this.settled(stream, version, event.data);
    else this.prepared(stream, version, [{ ...event.data, eventId }]);
  }

  #noteVersion(stream: string, version: number): void {
    this.#versions.set(stream, Math.max(this.#versions.get(stream) ?? 0, version));
  }
}

type Settled = GapFillSettled['data'];
