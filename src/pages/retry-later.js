/** Pauses between attempts during an outage, in seconds. The last one is repeated. */
const pauses = [3, 6, 12, 30, 60];

/**
 * Tries again after an outage: as soon as the browser is online again, and at growing intervals. A
 * longer pause that the service asks for is kept.
 */
export class RetryLater {
  #attempts = 0;
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  #isNeeded = false;
  #retry;

  /** @param {() => void} retry */
  constructor(retry) {
    this.#retry = retry;
    globalThis.addEventListener?.('online', () => {
      if (this.#isNeeded) this.#now();
    });
  }

  /**
   * @param {{isNeeded: boolean, isSettled: boolean, seconds: number}} plan `isSettled`: nothing is under way,
   *   so without a need the outage is over.
   */
  plan({ isNeeded, isSettled, seconds }) {
    this.#isNeeded = isNeeded;
    if (!isNeeded) {
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
      if (isSettled) this.reset();
      return;
    }
    if (this.#timer !== null) return;
    const pause = pauses[Math.min(this.#attempts, pauses.length - 1)] ?? 0;
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#now(), Math.max(pause, seconds) * 1_000);
  }

  /** Begins again with short pauses, for new input or a new outage. */
  reset() {
    this.#attempts = 0;
  }

  #now() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isNeeded = false;
    this.#retry();
  }
}
