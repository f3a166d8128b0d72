import type { LogEpochs } from './log-epochs.ts';

/** The tree over the events up to a position, computed from their rows. */
export interface PastTree {
  /** Null if the first event does not name a log. */
  readonly epochs: LogEpochs | null;
  /** `log-<logId>`. */
  readonly stream: string | null;
  /**
   * True if the first `size` events have this root, or had it before a change that is reported.
   * Null if their root cannot be computed, since events are missing. False beyond the audited
   * events, and at a size that was not announced.
   */
  hasRoot(size: number, root: Buffer): boolean | null;
}
