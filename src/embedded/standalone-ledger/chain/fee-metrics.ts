/** Fee level of a transaction that pays exactly the base fee. Levels are 1/256 of the base fee. */
export const baseLevel = 256n;
const leastMultiplier = baseLevel * 500n;
const recentLedgers = 20;
const leastQueueSize = 2000;

export interface FeeLimits {
  /** Transactions that an open ledger takes at the base fee; the limit never falls below this. */
  readonly openLedgerLimit: number;
  /** Maximum of the limit; undefined lets it grow with the traffic. */
  readonly openLedgerMaximum: number | undefined;
}

/** Adapts the open-ledger fee to the traffic (rippled: TxQ::FeeMetrics). */
export class FeeMetrics {
  readonly #limits: FeeLimits;
  #expected: number;
  #multiplier = leastMultiplier;
  #recentCounts: number[] = [];

  constructor(limits: FeeLimits) {
    this.#limits = limits;
    this.#expected = limits.openLedgerLimit;
  }

  /** Transactions that enter the open ledger before the fee escalates. */
  get expectedLedgerSize(): number {
    return this.#expected;
  }

  get maxQueueSize(): number {
    return Math.max(this.#expected * recentLedgers, leastQueueSize);
  }

  get medianLevel(): bigint {
    return this.#multiplier;
  }

  /** Required level of the next transaction, with this number in the open ledger. */
  requiredLevel(transactionCount: number): bigint {
    if (transactionCount <= this.#expected) return baseLevel;
    const target = BigInt(this.#expected);
    const count = BigInt(transactionCount);
    return (this.#multiplier * count * count) / (target * target);
  }

  /** Sum of the required levels of the next `size` transactions. */
  requiredSeriesLevel(transactionCount: number, size: number): bigint {
    const target = BigInt(this.#expected);
    const first = BigInt(transactionCount);
    const sum = squaresUpTo(first + BigInt(size) - 1n) - squaresUpTo(first - 1n);
    return (this.#multiplier * sum) / (target * target);
  }

  /** Learns from a closed ledger: its transactions' fee levels, in any order. */
  learn(levels: readonly bigint[]): void {
    const size = levels.length;
    if (size > this.#expected || size > this.#limits.openLedgerLimit) {
      this.#recentCounts = [...this.#recentCounts, Math.floor(size * 1.2)].slice(-recentLedgers);
      const most = Math.max(...this.#recentCounts);
      const next = most >= this.#expected ? most : Math.floor((this.#expected * 9 + most) / 10);
      this.#expected = Math.min(next, this.#limits.openLedgerMaximum ?? next);
    }
    const sorted = [...levels].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
    const upper = sorted[size >> 1] ?? 0n;
    const lower = sorted[(size - 1) >> 1] ?? 0n;
    const median = (upper + lower + 1n) / 2n;
    this.#multiplier = median > leastMultiplier ? median : leastMultiplier;
  }
}

function squaresUpTo(n: bigint): bigint {
  return (n * (n + 1n) * (2n * n + 1n)) / 6n;
}
