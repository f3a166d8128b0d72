/** Charge of a client for its submits, counted like a public rippled (Resource::Fees, Charge). */
export interface ChargeLimits {
  readonly perSubmit: number;
  /** From this balance on, answers carry `warning: load`. */
  readonly warning: number;
  /** At this balance the connection is closed with 1008. */
  readonly drop: number;
}

export const publicServer: ChargeLimits = { perSubmit: 400, warning: 5_000, drop: 25_000 };

const windowSeconds = 32;

/** A sum that decays by 1/32 each second. The limits apply to the average per second. */
export class ClientCharge {
  readonly limits: ChargeLimits;
  readonly #clock: () => number;
  #sum = 0;
  #second = 0;

  constructor(limits: ChargeLimits, clock: () => number) {
    this.limits = limits;
    this.#clock = clock;
  }

  /** Charges for one submit. */
  add(): void {
    this.#decay();
    this.#sum += this.limits.perSubmit;
  }

  get warned(): boolean {
    return this.#balance() >= this.limits.warning;
  }

  get dropped(): boolean {
    return this.#balance() >= this.limits.drop;
  }

  #balance(): number {
    this.#decay();
    return this.#sum / windowSeconds;
  }

  #decay(): void {
    const second = Math.floor(this.#clock() / 1_000);
    const passed = this.#second === 0 ? 0 : second - this.#second;
    this.#second = second;
    if (passed > 0) this.#sum *= (1 - 1 / windowSeconds) ** passed;
  }
}
