/**
 * A limit of signatures per minute, of which a minute's worth may come at once.
 * - `now`: milliseconds of a clock that never goes back.
 */
export class SigningRate {
  readonly #perMinute: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#left = perMinute;
    this.#at = now();
  }

  /** Takes `count` signatures if so many are left. Otherwise returns the milliseconds to wait. */
  take(count: number): number {
    const now = this.#now();
    const perMs = this.#perMinute / 60_000;
    this.#left = Math.min(this.#perMinute, this.#left + (now - this.#at) * perMs);
    this.#at = now;
    if (count > this.#left) return Math.ceil((count - this.#left) / perMs);
    this.#left -= count;
    return 0;
  }
}
