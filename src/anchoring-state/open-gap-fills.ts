import type { GapFillPrepared, GapFillSettled } from '../domain/account/events.ts';
import { signedAs } from '../domain/ledger/transaction.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';

/** A signed no-op with an unknown fate. */
export type OpenGapFill = GapFillPrepared['data'] & {
  /** Id of the GapFillPrepared event. */
  readonly eventId: string;
  /** Gap fills of the same Sequence that it has replaced, the oldest first. */
  readonly replaced: readonly GapFillPrepared['data'][];
};

/** A gap fill as it was recorded, or as an older version saved it. */
type RecordedGapFill = Omit<OpenGapFill, 'replaced' | 'replaces'> & Partial<OpenGapFill>;

/**
 * Open gap fills, folded from the streams of the accounts. Events may come twice: from the log, and
 * from the process that appended them. A version that was folded before is ignored.
 */
export class OpenGapFills {
  /** By the hash of the newest transaction. */
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

  /**
   * Adds gap fills of a saved state. Known ones stay as they are: a saved state may be ahead of its
   * position, and only the state knows those that they have replaced.
   */
  adopt(gapFills: readonly RecordedGapFill[]): void {
    for (const { replaces = null, ...gapFill } of gapFills) {
      if (this.#with(gapFill.transactionHash) !== undefined) continue;
      const last = replaces === null ? undefined : this.#open.get(replaces);
      const replaced = gapFill.replaced ?? (last === undefined ? [] : [...last.replaced, last]);
      if (replaces !== null) this.#open.delete(replaces);
      this.#open.set(gapFill.transactionHash, { ...gapFill, replaces, replaced });
    }
  }

  /** Folds gap fills that were just appended to an account's stream, which is now at `version`. */
  prepared(stream: string, version: number, gapFills: readonly RecordedGapFill[]): void {
    this.#noteVersion(stream, version);
    this.adopt(gapFills);
  }

  /** Folds a GapFillSettled that was just appended to an account's stream at `version`. */
  settled(stream: string, version: number, { transactionHash, outcome }: Settled): void {
    this.#noteVersion(stream, version);
    const gapFill = this.#with(transactionHash);
    if (gapFill === undefined) return;
    if (outcome === 'validated') this.#onApplied(gapFill);
    this.#open.delete(gapFill.transactionHash);
  }

  /** The open gap fill that has this transaction, or has replaced it. */
  #with(transactionHash: string): OpenGapFill | undefined {
    const newest = this.#open.get(transactionHash);
    if (newest !== undefined) return newest;
    for (const gapFill of this.#open.values()) {
      if (signedAs({ prepared: gapFill, replaced: gapFill.replaced }, transactionHash))
        return gapFill;
    }
    return undefined;
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
