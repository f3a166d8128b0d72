import { setTimeout as delay } from 'node:timers/promises';
import {
  benchmark,
  count,
  flag,
  optionalCount,
  optionalNames,
  optionalText,
} from '../harness/benchmark.ts';
import { round } from '../harness/figures.ts';
import { loadAverage } from '../harness/machine.ts';
import { watchProcessorTimes } from '../harness/processor-times.ts';
import { progress } from '../harness/progress.ts';
import { type Comparison, compare } from './comparison.ts';
import { readMemory, watchMemory } from './memory.ts';
import { costGrowth, type Slice, sliceOf } from './slices.ts';
import { type ProofsSystem, startProofsSystem } from './system.ts';

const target = {
  proofsPerSecond: 500,
  p99Ledgers: 3,
  costGrowth: 1.1,
} as const;
const sliceSeconds = 10;
const sliceProofs = 10_000;
const firstProofs = 1_000;
const comparedSeconds = 15;
const publiclyVerified = 10_000;

/**
 * POST /proofs in a closed loop: each caller waits until its proof is anchored before it posts the
 * next one. Callers, service, PostgreSQL and ledger are separate processes. Afterwards verifies
 * every proof, also of the warm-up, in the ledgers. Then measures other clients on the same ledger.
 */
export const proofs = benchmark({
  name: 'proofs',
  description: 'proofs anchored through POST /proofs, each verified afterwards',
  options: {
    accounts: count('accounts that the service anchors from', 8),
    callers: count('concurrent callers', 1_000),
    seconds: count('measured seconds', 60),
    /** Long enough for the service's heaps to reach their size. */
    warmUp: count('seconds of warm-up, not measured', 30),
    total: optionalCount('measures from the 1,000th to this proof instead'),
    ledger: optionalText('<url>', 'ledger server that runs already; needs --seeds'),
    seeds: optionalNames('seeds of funded accounts on --ledger, separated by commas'),
    closeMs: count('milliseconds between two ledgers', 1_000),
    openLedger: count('transactions of a ledger at the base fee', 2_000),
    countSubmissions: flag('counts how often each transaction is submitted; takes processor time'),
  },
  async measure(chosen, cleanUp) {
    const { callers: many, seconds, warmUp, total, closeMs, openLedger: openLedgerLimit } = chosen;
    const external = externalLedger(chosen);
    const accounts = external?.seeds.length ?? chosen.accounts;
    const system = await startProofsSystem(
      { accounts, closeMs, openLedgerLimit, external, countsSubmissions: chosen.countSubmissions },
      cleanUp,
    );
    const { service, ledger, callers, pids, account, addresses, died } = system;
    const failing = <Result>(work: Promise<Result>) => Promise.race([work, died]);
    await callers.ask('start', { account, callers: many });
    progress(`Warming up with ${many} callers`);
    await failing(
      total === undefined ? delay(warmUp * 1_000) : callers.ask('reached', { proofs: firstProofs }),
    );

    const timesSince = await watchProcessorTimes(pids);
    const stopMemory = watchMemory(pids);
    const start = await callers.ask('begin');
    const slices = await failing(
      total === undefined ? sliceByTime(system, seconds) : sliceByProofs(system, total),
    );
    const { ms, statuses, latencyMs, perSecond, failures, proofs } = await callers.ask('whole');
    const { machine: wholeMachine, ...parts } = await timesSince();
    const memoryMib = stopMemory();
    const loadAtEnd = loadAverage();
    await failing(callers.ask('stop'));

    progress('Verifying every proof in the ledgers');
    const { url, firstLedger } = ledger;
    const onLedger = await callers.ask('verifyOnLedger', { url, firstLedger, accounts: addresses });
    const submissions = await system.submissions?.ask('count', { url, firstLedger });
    progress('Verifying on the public endpoint');
    const publicly = await callers.ask('verifyPublicly', {
      address: service.address,
      most: publiclyVerified,
    });
    const compared = await compare(ledger, {
      accounts,
      outstanding: many,
      openLedgerLimit,
      seconds: comparedSeconds,
    });
    const proofsPerSecond = round((proofs * 1_000) / ms, 1);
    const growth = costGrowth(slices);
    const p99Ledgers = round(latencyMs.p99 / closeMs, 2);
    const verified =
      onLedger.verified === onLedger.receipts &&
      onLedger.distinctTransactions === onLedger.receipts &&
      onLedger.anchoredTwice === 0 &&
      publicly.verified === publicly.receipts;
    return {
      postgres: service.postgres,
      loadAtEnd,
      setting: {
        accounts,
        callers: many,
        ...(total === undefined
          ? { warmUpSeconds: warmUp, seconds }
          : { fromProof: firstProofs, toProof: total }),
        ledgerCloseMs: closeMs,
        openLedgerLimit,
        server: `src/main.ts with embedded PostgreSQL, durable; ${external?.url ?? 'ops/run-ledger.ts, durable'}`,
        clients: 'callers in a process of their own, keep-alive connections, closed loop',
      },
      results: {
        proofsPerSecond,
        proofs,
        seconds: round(ms / 1_000, 1),
        statuses,
        failures,
        latencyMs,
        p99Ledgers,
        perSecond,
        perSecondFromReadiness: start.perSecond,
        processors: Object.fromEntries(
          Object.entries({ ...parts, wholeMachine }).map(([part, used]) => [
            part,
            round(used / ms, 2),
          ]),
        ),
        costGrowth: growth,
        memoryMib,
        ...(submissions === undefined ? {} : { submissions }),
        slices,
      },
      comparison: { ...compared, serviceToOthers: ratios(proofsPerSecond, compared) },
      verification: { onLedger, publicly },
      target,
      met:
        proofsPerSecond >= target.proofsPerSecond &&
        p99Ledgers <= target.p99Ledgers &&
        (total === undefined ||
          (growth?.lastQuarterToFirst ?? Number.POSITIVE_INFINITY) <= target.costGrowth) &&
        verified,
    };
  },
});

/** Null if the benchmark starts its own ledger. */
function externalLedger(chosen: {
  readonly ledger: string | undefined;
  readonly seeds: readonly string[] | undefined;
}) {
  const { ledger: url, seeds } = chosen;
  if (url === undefined && seeds === undefined) return null;
  if (url !== undefined && seeds !== undefined) return { url, seeds };
  throw new Error('--ledger and --seeds must be given together');
}

async function sliceByTime(system: ProofsSystem, seconds: number): Promise<readonly Slice[]> {
  const startedAt = performance.now();
  return takeSlices(system, Math.ceil(seconds / sliceSeconds), async (number) => {
    const end = Math.min(number * sliceSeconds, seconds) * 1_000;
    await delay(startedAt + end - performance.now());
    return 0;
  });
}

async function sliceByProofs(system: ProofsSystem, total: number): Promise<readonly Slice[]> {
  return takeSlices(system, Math.ceil(total / sliceProofs), async (number) =>
    Math.min(number * sliceProofs, total),
  );
}

/**
 * Takes `count` slices. `next` waits for the end of a slice, or returns the number of proofs after
 * which it ends.
 */
async function takeSlices(
  { callers, pids }: ProofsSystem,
  count: number,
  next: (number: number) => Promise<number>,
): Promise<readonly Slice[]> {
  const slices: Slice[] = [];
  const timesSince = await watchProcessorTimes(pids);
  for (let number = 1; number <= count; number += 1) {
    const proofs = await next(number);
    const stretch = await callers.ask('cut', { proofs });
    const upTo = proofs > 0 ? proofs : (slices.at(-1)?.upTo ?? 0) + stretch.proofs;
    const slice = sliceOf(upTo, stretch, await timesSince(), await readMemory(pids));
    slices.push(slice);
    const { cost, service, postgres, ledger } = slice.processorMsPerProof;
    progress(
      `${upTo} proofs: ${slice.proofsPerSecond}/s, p50 ${slice.p50Ms} ms, p99 ${slice.p99Ms} ms, ` +
        `${cost} ms per proof (service ${service}, PostgreSQL ${postgres}, ledger ${ledger})`,
    );
  }
  return slices;
}

/** Rate of the service as a multiple of the other rates; null for one that was not measured. */
function ratios(proofsPerSecond: number, compared: Comparison) {
  const times = (other: Comparison[keyof Comparison]) =>
    'stopped' in other ? null : round(proofsPerSecond / other.validatedPerSecond, 2);
  return {
    rawAsManyOutstanding: times(compared.rawAsManyOutstanding),
    rawFillingLedgers: times(compared.rawFillingLedgers),
    submitAndWait: times(compared.submitAndWait),
  };
}
