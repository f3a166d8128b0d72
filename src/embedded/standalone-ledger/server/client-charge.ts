/**
 * Load limits of a rippled for strangers (Resource::Tuning and Fees). Balances are 1/32 of the sum
 * of charges, which decays.
 */
export interface ChargeLimits {
  /** From this balance on, answers carry `warning: load`, once a second. */
  readonly warning: number;
  /** Charge of each warning. */
  readonly perWarning: number;
  /** At this balance the next request closes the connection with 1008. */
  readonly drop: number;
  /** Charge of being dropped. */
  readonly perDrop: number;
}

/** Limits of rippled since 2.3.1. */
export const publicServer: ChargeLimits = {
  warning: 5_000,
  perWarning: 4_000,
  drop: 25_000,
  perDrop: 6_000,
};

const windowSeconds = 32;
const reference = 20;
const medium = 400;
const malformed = 100;
const mediumCommands = new Set<unknown>(['account_objects', 'account_tx', 'submit']);

/** Charge of a request with this command (rippled, handlers of the commands). */
export function chargeOf(command: unknown): number {
  if (typeof command !== 'string') return malformed;
  return mediumCommands.has(command) ? medium : reference;
}

/** Charge of all clients together, since they share one address. Counts in whole seconds. */
export class ClientCharge {
  readonly #limits: ChargeLimits;
  readonly #clock: () => number;
  #sum = 0;
  #second = 0;
  #warnedIn = 0;

  constructor(limits: ChargeLimits, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
    this.#second = this.#now();
  }

  add(charge: number): void {
    this.#decay();
    this.#sum += charge;
  }

  /** True if the answer to the last request warns; charges for the warning. */
  warn(): boolean {
    const second = this.#now();
    if (this.#balance() < this.#limits.warning || second === this.#warnedIn) return false;
    this.#sum += this.#limits.perWarning;
    this.#warnedIn = second;
    return true;
  }

  /** True if the next request ends the connection; charges for that. */
  drop(): boolean {
    if (this.#balance() < this.#limits.drop) return false;
    this.#sum += this.#limits.perDrop;
    return true;
  }

  #balance(): number {
    this.#decay();
    return Math.floor(this.#sum / windowSeconds);
  }

  #now(): number {
    return Math.floor(this.#clock() / 1_000);
  }

  /** rippled, DecayingSample: takes off 1/32, rounded up, for each whole second. */
  #decay(): void {
    const second = this.#now();
    for (; this.#second < second && this.#sum > 0; this.#second++) {
      this.#sum -= Math.ceil(this.#sum / windowSeconds);
    }
    this.#second = second;
  }
}
