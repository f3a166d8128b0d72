import { FairLine } from '../../domain/fair-line.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import { Unavailable } from '../../errors/unavailable.ts';
import { TooMuchAtOnce } from './too-much-at-once.ts';

export interface ShareLimits {
  /** Name of the claims in messages, in the plural. */
  readonly name: string;
  /** Maximum for all organisations together. */
  readonly total: number;
  readonly perOrganisation: number;
  /** Maximum wait of a claim. */
  readonly waitMs: number;
  /** Wait after which slow claims are ended, one at a time. */
  readonly patienceMs: number;
  /** Transfers below this rate are slow. */
  readonly slowBytesPerSecond: number;
  /** Minimum age of a slow claim. */
  readonly graceMs: number;
}

/** Allows ending the claim of a slow client while others wait. */
export interface Yielding {
  /** Bytes transferred so far; null while the delay is not the client's. */
  progress(): number | null;
  /** Ends the transfer, which then returns its share as usual. */
  giveUp(): void;
}

interface Claim {
  readonly organisationId: OrganisationId;
  readonly amount: number;
  readonly yielding: Yielding | null;
  grantedAt: number;
  /** True once its end is requested; the end may take a while. */
  isEnding: boolean;
}

interface Waiter {
  readonly claim: Claim;
  readonly grant: () => void;
}

/** Maximum waiting claims of one organisation. */
const maxWaiting = 200;
/** Interval at which a waiting claim looks for slow ones. */
const pressMs = 1_000;

/**
 * A limited resource, such as memory for bodies, with a maximum per organisation and in total.
 * Claims that do not fit wait in line; organisations take turns.
 */
export class Shares {
  readonly #limits: ShareLimits;
  readonly #line = new FairLine<Waiter>();
  readonly #granted = new Set<Claim>();
  readonly #used = new Map<OrganisationId, number>();
  #usedInAll = 0;

  /** Amount in use by all organisations. */
  get used(): number {
    return this.#usedInAll;
  }

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /**
   * Claims a share. Resolves with a function that returns the share; further calls of the function
   * do nothing. A claim above the maximum of an organisation is reduced to it. Rejects with
   * `TooMuchAtOnce` if the organisation's own claims leave no room in time. Rejects with
   * `Unavailable` if the claims of all organisations leave no room.
   */
  async take(
    organisationId: OrganisationId,
    wanted: number,
    yielding: Yielding | null = null,
  ): Promise<() => void> {
    const amount = Math.min(wanted, this.#limits.perOrganisation);
    const claim: Claim = { organisationId, amount, yielding, grantedAt: 0, isEnding: false };
    if (this.#isPreceded(claim) || !this.#fits(claim)) await this.#wait(claim);
    else this.#grant(claim);
    return () => {
      if (!this.#granted.delete(claim)) return;
      this.#use(claim, -amount);
      this.#pass();
    };
  }

  /** Runs the work with a share. */
  async during<Result>(
    organisationId: OrganisationId,
    amount: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const giveBack = await this.take(organisationId, amount);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  async #wait(claim: Claim): Promise<void> {
    const { organisationId } = claim;
    const { waitMs, patienceMs } = this.#limits;
    if (this.#line.waiting(organisationId) >= maxWaiting) throw this.#ownRefusal();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const until = performance.now() + waitMs;
    const waiter: Waiter = {
      claim,
      grant: () => {
        clearTimeout(timer);
        this.#grant(claim);
        resolve();
      },
    };
    const press = () => {
      if (performance.now() < until) {
        this.#endSlowestInTheWayOf(claim);
        timer = setTimeout(press, Math.min(pressMs, waitMs));
        return;
      }
      this.#line.leave(organisationId, waiter);
      reject(this.#refusal(claim));
      // A smaller claim behind it may fit.
      this.#pass();
    };
    let timer = setTimeout(press, Math.min(patienceMs, waitMs));
    this.#line.join(organisationId, waiter);
    return promise;
  }

  #pass(): void {
    let isFull = false;
    const isNext = (_: unknown, { claim }: Waiter) => {
      // Smaller claims do not overtake the next one in turn.
      if (isFull || !this.#fitsOwn(claim)) return false;
      isFull = !this.#fits(claim);
      return !isFull;
    };
    for (let next = this.#line.next(isNext); next; next = this.#line.next(isNext)) next.grant();
  }

  #grant(claim: Claim): void {
    claim.grantedAt = performance.now();
    this.#granted.add(claim);
    this.#use(claim, claim.amount);
  }

  #use({ organisationId }: Claim, amount: number): void {
    const used = (this.#used.get(organisationId) ?? 0) + amount;
    if (used === 0) this.#used.delete(organisationId);
    else this.#used.set(organisationId, used);
    this.#usedInAll += amount;
  }

  /**
   * Returns true if another claim of the organisation waits, or any claim waits for the total only.
   */
  #isPreceded({ organisationId }: Claim): boolean {
    return this.#line.has((id, { claim }) => id === organisationId || this.#fitsOwn(claim));
  }

  #fitsOwn({ organisationId, amount }: Claim): boolean {
    return (this.#used.get(organisationId) ?? 0) + amount <= this.#limits.perOrganisation;
  }

  #fits(claim: Claim): boolean {
    return this.#fitsOwn(claim) && this.#usedInAll + claim.amount <= this.#limits.total;
  }

  /**
   * Ends the slowest of the slow claims: of the organisation if its own maximum is reached, else of
   * all.
   */
  #endSlowestInTheWayOf(claim: Claim): void {
    const isOwn = !this.#fitsOwn(claim);
    const [slowest] = [...this.#granted]
      .filter((other) => !isOwn || other.organisationId === claim.organisationId)
      .map((other) => ({ other, rate: this.#rateOf(other) }))
      .filter(({ other, rate }) => !other.isEnding && rate < this.#limits.slowBytesPerSecond)
      .sort((a, b) => a.rate - b.rate);
    if (slowest === undefined) return;
    slowest.other.isEnding = true;
    slowest.other.yielding?.giveUp();
  }

  /** Bytes per second. */
  #rateOf({ yielding, grantedAt }: Claim): number {
    const bytes = yielding?.progress() ?? null;
    const ms = performance.now() - grantedAt;
    return bytes === null || ms < this.#limits.graceMs ? Infinity : (bytes * 1_000) / ms;
  }

  #refusal(claim: Claim): Error {
    const { organisationId } = claim;
    // A waiting claim of the organisation counts only if its own maximum blocks it, not the total.
    const isBehindOwn = this.#line.has(
      (id, { claim: first }) => id === organisationId && !this.#fitsOwn(first),
    );
    if (isBehindOwn || !this.#fitsOwn(claim)) return this.#ownRefusal();
    const { name } = this.#limits;
    const message = `too many ${name} at once; try again shortly`;
    const reason = `the ${name} of all organisations reach the limit of ${this.#limits.total}`;
    return new Unavailable('SERVICE_UNAVAILABLE', message, reason);
  }

  #ownRefusal(): Error {
    return new TooMuchAtOnce(this.#limits.name);
  }
}
