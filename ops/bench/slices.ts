import { round } from './machine.ts';
import type { Memory } from './memory.ts';
import type { Stretch } from './posting.ts';
import type { ProcessorTimes } from './processor-times.ts';

/** A part of a run: what its proofs took. */
export interface Slice {
  /** Answered since the beginning, when the slice ended. */
  readonly upTo: number;
  readonly proofs: number;
  readonly proofsPerSecond: number;
  /** Of the part by itself; `cost` is service, PostgreSQL and ledger together. */
  readonly processorMsPerProof: Readonly<Record<Part, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly memoryMib: Memory;
}

type Part = 'cost' | 'service' | 'postgres' | 'ledger' | 'callers';

export function sliceOf(
  upTo: number,
  { proofs, ms, latencyMs }: Stretch,
  times: ProcessorTimes,
  memoryMib: Memory,
): Slice {
  const perProof = (of: number) => (proofs === 0 ? 0 : round(of / proofs, 3));
  const { service, postgres, ledger, callers } = times;
  return {
    upTo,
    proofs,
    proofsPerSecond: round((proofs * 1_000) / ms, 1),
    processorMsPerProof: {
      cost: perProof(service + postgres + ledger),
      service: perProof(service),
      postgres: perProof(postgres),
      ledger: perProof(ledger),
      callers: perProof(callers),
    },
    p50Ms: round(latencyMs.p50),
    p99Ms: round(latencyMs.p99),
    memoryMib,
  };
}

/** How what a proof costs has changed, in multiples. */
export interface CostGrowth {
  readonly lastToFirst: number;
  /** The mean of the last quarter to that of the first: what vacuuming takes hits few slices hard. */
  readonly lastQuarterToFirst: number;
  readonly lastToCheapest: number;
  readonly dearestToCheapest: number;
}

/** Null where there are no two slices to compare. */
export function costGrowth(slices: readonly Slice[]): CostGrowth | null {
  const costs = slices.map(({ processorMsPerProof }) => processorMsPerProof.cost);
  const [first, last] = [costs[0], costs.at(-1)];
  if (first === undefined || last === undefined || costs.length < 2) return null;
  const cheapest = Math.min(...costs);
  const quarter = Math.ceil(costs.length / 4);
  const quarters = mean(costs.slice(-quarter)) / mean(costs.slice(0, quarter));
  return {
    lastToFirst: round(last / first, 3),
    lastQuarterToFirst: round(quarters, 3),
    lastToCheapest: round(last / cheapest, 3),
    dearestToCheapest: round(Math.max(...costs) / cheapest, 3),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
