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
/** Errors of requests that name no command. rippled never warns in their answers. */
const unusable = new Set<unknown>(['missingCommand', 'invalid_API_version']);
/** Errors of `account_tx` that rippled finds before it searches, and charges like any request. */
const unsearched = new Set<unknown>(['invalidParams', 'actMalformed']);

/** Charge of a request by its command and the error that answers it (rippled, handlers). */
export function chargeOf(command: unknown, error?: unknown): number {
  if (isUnusable(error)) return malformed;
  if (command === 'submit') return medium;
  if (command === 'account_tx') return unsearched.has(error) ? reference : medium;
  if (command === 'account_objects') return error === undefined ? medium : reference;
  return reference;
}

/** True if the error says that the request cannot be assigned to a command. */
export function isUnusable(error: unknown): boolean {
  return unusable.has(error);
}

/**
 * Charge of all clients together, since they share one address. `clock` has milliseconds, `lateMs`
 * is the delay of a tick of the server's clock, anew for each second.
 */
export class ClientCharge {
  readonly #limits: ChargeLimits;
  readonly #clock: () => number;
  readonly #lateMs: () => number;
  #sum = 0;
  #tickMs: number;
  #agedMs: number;
  #warnedMs = 0;

  constructor(limits: ChargeLimits, clock: () => number, lateMs: () => number = Math.random) {
    this.#limits = limits;
    this.#clock = clock;
    this.#lateMs = lateMs;
    this.#tickMs = clock();
    this.#agedMs = this.#tickMs;
  }

  add(charge: number): void {
    this.#decay();
    this.#sum += charge;
  }

  /** True if the answer to the last request warns; charges for the warning. */
  warn(): boolean {
    const isDue = this.#balance() >= this.#limits.warning && this.#tickMs !== this.#warnedMs;
    if (!isDue) return false;
    this.#sum += this.#limits.perWarning;
    this.#warnedMs = this.#tickMs;
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

  /** The clock ticks once a second, a little late (rippled, basic_seconds_clock). */
  #tick(): number {
    const now = this.#clock();
    const second = Math.floor(now / 1_000) * 1_000;
    if (second > this.#tickMs) this.#tickMs = Math.min(now, second + this.#lateMs());
    return this.#tickMs;
  }

  /**
   * Takes off 1/32, rounded up, for each whole second since the last request (rippled,
   * DecayingSample). A fraction is lost, so a tick that is less late than the last one loses a
   * second.
   */
  #decay(): void {
    const tick = this.#tick();
    let steps = Math.floor((tick - this.#agedMs) / 1_000);
    this.#agedMs = tick;
    for (; steps > 0 && this.#sum > 0; steps--) this.#sum -= Math.ceil(this.#sum / windowSeconds);
  }
}
