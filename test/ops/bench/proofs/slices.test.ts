import { test } from 'tap';
import { costGrowth, type Slice, sliceOf } from '../../../../ops/bench/proofs/slices.ts';

const memory = { service: 1, postgres: 2, ledger: 3 };
const latencyMs = { count: 4, mean: 1, p50: 1.4, p95: 1, p99: 2.6, p999: 3, max: 3 };

function sliceThatCosts(service: number): Slice {
  const stretch = {
    proofs: 4,
    ms: 2_000,
    statuses: {},
    latencyMs,
    perSecond: [2, 2],
    failures: [],
  };
  const times = { service, postgres: 2, ledger: 2, callers: 8, machine: 0 };
  return sliceOf(4, stretch, times, memory);
}

test('the cost of a proof includes service, PostgreSQL and ledger, but not the callers', (t) => {
  t.strictSame(sliceThatCosts(4), {
    upTo: 4,
    proofs: 4,
    proofsPerSecond: 2,
    processorMsPerProof: { cost: 2, service: 1, postgres: 0.5, ledger: 0.5, callers: 2 },
    p50Ms: 1,
    p99Ms: 3,
    memoryMib: memory,
  });
  t.end();
});

test('cost growth compares last with first slice, and dearest with cheapest', (t) => {
  t.strictSame(costGrowth([12, 4, 28, 20].map(sliceThatCosts)), {
    lastToFirst: 1.5,
    lastQuarterToFirst: 1.5,
    lastToCheapest: 3,
    dearestToCheapest: 4,
  });
  t.equal(costGrowth([4, 12, 20, 4, 4, 4, 28, 20].map(sliceThatCosts))?.lastQuarterToFirst, 2.333);
  t.equal(costGrowth([sliceThatCosts(4)]), null, 'a single slice has no growth');
  t.end();
});
