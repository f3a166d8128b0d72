import type { PendingLedger } from './attesting-fold.ts';

/** Waits of the reactor, in milliseconds. */
export interface AttestingWaits {
  /** For validations after the quorum: most arrive within a few milliseconds. */
  readonly lateMs: number;
  /** For another process that may have heard the validations of a ledger. */
  readonly graceMs: number;
  /** Between two attempts with the same ledger, such as one that no server has. */
  readonly retryMs: number;
  /** After an attempt to link that left ledgers over: another process can try meanwhile. */
  readonly restMs: number;
  /** At most for an attempt to link, so that a slow server does not keep other ledgers waiting. */
  readonly turnMs: number;
}

export const defaultWaits: AttestingWaits = {
  lateMs: 500,
  graceMs: 5_000,
  retryMs: 1_000,
  restMs: 2_000,
  turnMs: 30_000,
};

/** Times since which something is known about pending ledgers, by hash; in memory only. */
export class LedgerPace {
  readonly #waits: AttestingWaits;
  readonly #clock: () => number;
  readonly #now: () => number;
  /** When the quorum of a ledger was seen first. */
  readonly #quorumAt = new Map<string, number>();
  /** When a ledger was seen pending first. */
  readonly #pendingAt = new Map<string, number>();
  /** When something was last asked of servers for a ledger. */
  readonly #triedAt = new Map<string, number>();
  #restsUntil = Number.NEGATIVE_INFINITY;
  #turnEndsAt = Number.NEGATIVE_INFINITY;

  /** `clock` is monotonic, `now` the time of day, both in milliseconds. */
  constructor(waits: AttestingWaits, clock: () => number, now: () => number = Date.now) {
    this.#waits = waits;
    this.#clock = clock;
    this.#now = now;
  }

  /** True for a short time after the quorum: validations that are missing may still come. */
  mayGrow({ ledgerHash }: PendingLedger): boolean {
    return this.#msSinceFirst(this.#quorumAt, ledgerHash) < this.#waits.lateMs;
  }

  /** A process that was restarted must not wait again: the time of the record counts as well. */
  isOverdue({ ledgerHash, since }: PendingLedger): boolean {
    const { graceMs } = this.#waits;
    const waited = this.#msSinceFirst(this.#pendingAt, ledgerHash);
    return waited >= graceMs || this.#now() - Date.parse(since) >= graceMs;
  }

  /** True once in `retryMs` for a ledger: servers that do not have it are not asked all the time. */
  mayTry({ ledgerHash }: PendingLedger): boolean {
    const now = this.#clock();
    const triedAt = this.#triedAt.get(ledgerHash) ?? Number.NEGATIVE_INFINITY;
    if (now - triedAt < this.#waits.retryMs) return false;
    this.#triedAt.set(ledgerHash, now);
    return true;
  }

  /** Begins an attempt to link, of at most `turnMs`. */
  beginTurn(): void {
    this.#turnEndsAt = this.#clock() + this.#waits.turnMs;
  }

  isTurnOver(): boolean {
    return this.#clock() >= this.#turnEndsAt;
  }

  /** Begins a rest of `restMs`. */
  rest(): void {
    this.#restsUntil = this.#clock() + this.#waits.restMs;
  }

  isResting(): boolean {
    return this.#clock() < this.#restsUntil;
  }

  /** Forgets all ledgers that are not pending any more. */
  forgetSettled(pending: readonly PendingLedger[]): void {
    const hashes = new Set(pending.map(({ ledgerHash }) => ledgerHash));
    for (const times of [this.#quorumAt, this.#pendingAt, this.#triedAt]) {
      for (const hash of times.keys()) if (!hashes.has(hash)) times.delete(hash);
    }
  }

  #msSinceFirst(times: Map<string, number>, ledgerHash: string): number {
    const now = this.#clock();
    const first = times.get(ledgerHash) ?? now;
    times.set(ledgerHash, first);
    return now - first;
  }
}
