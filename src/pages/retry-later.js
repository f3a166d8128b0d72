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

  /** @param {{isNeeded: boolean, seconds: number}} plan */
  plan({ isNeeded, seconds }) {
    this.#isNeeded = isNeeded;
    if (!isNeeded) {
      // An attempt under way is no end of the outage yet; the timer of the next one is dropped.
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
      return;
    }
    if (this.#timer !== null) return;
    const pause = pauses[Math.min(this.#attempts, pauses.length - 1)] ?? 0;
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#now(), Math.max(pause, seconds) * 1_000);
  }

  /** Begins again with short pauses, for new input. */
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
