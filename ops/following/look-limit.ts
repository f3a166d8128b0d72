/** The reading of one side in a look took more time or bytes than allowed. */
export class LookTooLarge extends Error {}

export interface LookLimits {
  readonly ms: number;
  readonly bytes: number;
}

/**
 * Time and bytes that one side of a look may take, the log or the ledger. The time begins with the
 * object.
 */
export class LookLimit {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  readonly #limits: LookLimits;
  readonly #endsAtMs: number;
  #bytes = 0;

  constructor(limits: LookLimits) {
    this.#limits = limits;
    this.#endsAtMs = performance.now() + limits.ms;
    this.signal = AbortSignal.timeout(limits.ms);
  }

  /** True when nothing more may be read. */
  get isOver(): boolean {
    return this.#isLate || this.#bytes > this.#limits.bytes;
  }

  /** Throws `LookTooLarge` if nothing more may be read. */
  require(): void {
    const { ms, bytes } = this.#limits;
    if (this.#isLate) {
      throw new LookTooLarge(
        `reading took longer than ${ms / 1_000} s in one look (--look-seconds), and was ended`,
      );
    }
    if (this.#bytes > bytes) {
      throw new LookTooLarge(
        `the answers have more than ${bytes / 1_000_000} MB in one look (--look-megabytes), and reading was ended`,
      );
    }
  }

  /** Counts bytes that were read. Throws `LookTooLarge` if they are too many. */
  spend(bytes: number): void {
    this.#bytes += bytes;
    this.require();
  }

  get #isLate(): boolean {
    return this.signal.aborted || performance.now() >= this.#endsAtMs;
  }

  /** As the work, but rejects with `LookTooLarge` when the time is over. */
  async within<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this;
    const over = Promise.withResolvers<never>();
    const end = () => over.reject(new Error('the time is over'));
    signal.addEventListener('abort', end, { once: true });
    try {
      this.require();
      return await Promise.race([work, over.promise]);
    } catch (error) {
      this.require();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
      // The work may go on, and fail, when nobody waits for it.
      work.catch(() => {});
    }
  }
}
