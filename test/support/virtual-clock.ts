import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time that passes at once: waits end in their order, each after all work before it. */
export class VirtualClock {
  #now: number;
  #ends: { readonly at: number; readonly end: () => void }[] = [];

  constructor(startMs: number) {
    this.#now = startMs;
  }

  readonly now = (): number => this.#now;

  readonly wait = (ms: number): Promise<void> =>
    new Promise((end) => {
      const at = this.#now + Math.max(0, ms);
      const next = this.#ends.findIndex((other) => other.at > at);
      this.#ends.splice(next === -1 ? this.#ends.length : next, 0, { at, end });
    });

  /** Lets this time pass. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await nextTurn();
      const next = this.#ends[0];
      if (next === undefined || next.at > until) break;
      this.#ends.shift();
      this.#now = next.at;
      next.end();
    }
    this.#now = until;
  }
}
