import { chargeWindowSeconds } from './request-charge.ts';

/** Exponent of one step of the decay. */
const decay = Math.log(chargeWindowSeconds / (chargeWindowSeconds - 1));
/** Steps that are lost in each second with requests, at most one for each request. */
const lostPerSecond = 0.6;

/** Steps of the decay within a time without requests, as expected. */
const stepsIn = (seconds: number) => seconds - lostPerSecond * Math.min(1, seconds);

/** Part of a sum that is left after this time without requests. */
export function partLeftAfter(seconds: number): number {
  return Math.exp(-decay * stepsIn(seconds));
}

/**
 * A server's sum of the charges from our address, as estimated, in two parts: our own charges, and
 * those of others, such as this service before a restart.
 */
export class ChargedSum {
  readonly #now: () => number;
  readonly #leastOthers: () => number;
  #own = 0;
  #others = 0;
  #agedAt: number;

  /** `now` is in milliseconds. The part of others does not decay below `leastOthers`. */
  constructor(now: () => number, leastOthers: () => number) {
    this.#now = now;
    this.#leastOthers = leastOthers;
    this.#agedAt = now();
  }

  get own(): number {
    return this.#own * this.#partLeft;
  }

  get others(): number {
    return Math.max(this.#others * this.#partLeft, Math.min(this.#others, this.#leastOthers()));
  }

  get total(): number {
    return this.own + this.others;
  }

  /** Settles the decay so far. Each request costs a part of a step: call it for each. */
  age(): void {
    const { own, others } = this;
    this.#own = own;
    this.#others = others;
    this.#agedAt = this.#now();
  }

  charge(amount: number): void {
    this.#own += amount;
  }

  /** Raises the part of others so far that both parts together reach this sum. */
  assume(total: number): void {
    this.#others = Math.max(this.#others, total - this.#own);
  }

  forgetOthers(): void {
    this.#others = 0;
  }

  /** Lowers both parts to this sum, that of others first. */
  limitTo(most: number): void {
    this.#own = Math.min(this.#own, most);
    this.#others = Math.min(this.#others, most - this.#own);
  }

  /** Milliseconds until our own part has decayed to this sum. */
  untilOwn(wanted: number): number {
    return this.#untilDecayed(this.#own, wanted);
  }

  /** Milliseconds until both parts have decayed to this sum, if others charge nothing meanwhile. */
  untilTotal(wanted: number): number {
    return this.#untilDecayed(this.#own + this.others / this.#partLeft, wanted);
  }

  get #partLeft(): number {
    return partLeftAfter(this.#secondsSinceAged);
  }

  get #secondsSinceAged(): number {
    return Math.max(0, this.#now() - this.#agedAt) / 1_000;
  }

  #untilDecayed(sum: number, wanted: number): number {
    const steps = Math.log(Math.max(sum, 1) / Math.max(wanted, 1)) / decay;
    // Inverse of `stepsIn`.
    const early = steps / (1 - lostPerSecond);
    const seconds = early <= 1 ? early : steps + lostPerSecond;
    return Math.max(0, seconds - this.#secondsSinceAged) * 1_000;
  }
}
