import { round } from '../harness/figures.ts';
import type { ProcessorTimes } from '../harness/processor-times.ts';
import type { Stretch } from './callers-process.ts';
import type { Memory } from './memory.ts';

/** A part of a run, with the cost of its proofs. */
export interface Slice {
  /** Number of proofs answered from the start to the end of the slice. */
  readonly upTo: number;
  readonly proofs: number;
  readonly proofsPerSecond: number;
  /** Processor time of each part; `cost` is service, PostgreSQL and ledger together. */
  readonly processorMsPerProof: Readonly<Record<Part, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly memoryMib: Memory;
}

type Part = 'cost' | 'service' | 'postgres' | 'ledger' | 'callers';

export function sliceOf(
  upTo: number,
  { proofs, ms, latencyMs }: Stretch,
  times: ProcessorTimes<'service' | 'postgres' | 'ledger' | 'callers'>,
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

/** Growth of the cost of a proof, as factors. */
export interface CostGrowth {
  readonly lastToFirst: number;
  /**
   * Mean of the last quarter to mean of the first quarter, since vacuuming slows down few slices
   * much.
   */
  readonly lastQuarterToFirst: number;
  readonly lastToCheapest: number;
  readonly dearestToCheapest: number;
}

/** Null for fewer than two slices. */
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
