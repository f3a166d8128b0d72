import { setTimeout as delay } from 'node:timers/promises';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { type Comparison, compare } from './comparison.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { readMemory, watchMemory } from './memory.ts';
import { readProcessorTimes, timesBetween } from './processor-times.ts';
import { progress } from './progress.ts';
import { type ProofsSystem, startProofsSystem } from './proofs-system.ts';
import { costGrowth, type Slice, sliceOf } from './slices.ts';

export interface ProofsOptions {
  /** Anchoring accounts of the service. */
  readonly accounts: number;
  readonly callers: number;
  /** Measured, after the warm-up; nothing where there is a total. */
  readonly seconds: number;
  /** Seconds: long enough for the heaps of the service to find their size. */
  readonly warmUp: number;
  /** Measured until so many proofs were answered, from the 1,000th on. */
  readonly total?: number;
}

const target = {
  proofsPerSecond: 500,
  p99Ledgers: 3,
  costGrowth: 1.1,
} as const;
const closeMs = 1_000;
const openLedgerLimit = 2_000;
const sliceSeconds = 10;
const sliceProofs = 10_000;
const firstProofs = 1_000;
const comparedSeconds = 15;
const publiclyVerified = 10_000;

/**
 * POST /proofs in a closed loop: each caller waits until its proof is anchored before it posts the
 * next. Callers, service, PostgreSQL and ledger are processes of their own. Afterwards every proof,
 * also of the warm-up, is looked up in the ledgers, and what others get out of the same ledger is
 * measured.
 */
export function benchProofs(options: ProofsOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure(options: ProofsOptions, cleanUp: CleanUp) {
  const { accounts, callers: count, total } = options;
  const load = { start: loadAverage() };
  const system = await startProofsSystem({ accounts, closeMs, openLedgerLimit }, cleanUp);
  const { service, ledger, callers, pids, account, addresses, died } = system;
  const failing = <Result>(work: Promise<Result>) => Promise.race([work, died]);
  await callers.ask('start', { account, callers: count });
  progress(`warming up: ${count} callers`);
  await failing(
    total === undefined
      ? delay(options.warmUp * 1_000)
      : callers.ask('reached', { proofs: firstProofs }),
  );

  const before = await readProcessorTimes(pids);
  const stopMemory = watchMemory(pids);
  await callers.ask('begin');
  const slices = await failing(
    total === undefined ? sliceByTime(system, options.seconds) : sliceByProofs(system, total),
  );
  const { proofs, ms, statuses, latencyMs, failures } = await callers.ask('whole');
  const used = timesBetween(before, await readProcessorTimes(pids));
  const memoryMib = stopMemory();
  const loadAverages = { ...load, end: loadAverage() };
  await failing(callers.ask('stop'));

  progress('verifying every proof in the ledgers');
  const onLedger = await callers.ask('verifyOnLedger', { url: ledger.url, accounts: addresses });
  progress('verifying on the public endpoint');
  const publicly = await callers.ask('verifyPublicly', {
    address: service.address,
    most: publiclyVerified,
  });
  const compared = await compare(ledger, {
    accounts,
    outstanding: count,
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
    benchmark: 'proofs',
    machine: await describeMachine(system.postgresVersion),
    loadAverage: loadAverages,
    setting: {
      accounts,
      callers: count,
      ...(total === undefined
        ? { warmUpSeconds: options.warmUp, seconds: options.seconds }
        : { fromProof: firstProofs, toProof: total }),
      ledgerCloseMs: closeMs,
      openLedgerLimit,
      server: 'src/main.ts with embedded PostgreSQL, durable; ops/run-ledger.ts, durable',
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
      processors: {
        service: round(used.service / ms, 2),
        postgres: round(used.postgres / ms, 2),
        ledger: round(used.ledger / ms, 2),
        callers: round(used.callers / ms, 2),
        wholeMachine: round(used.machine / ms, 2),
      },
      costGrowth: growth,
      memoryMib,
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

/** `next` waits for the end of a slice, or tells after how many proofs it ends. */
async function takeSlices(
  { callers, pids }: ProofsSystem,
  count: number,
  next: (number: number) => Promise<number>,
): Promise<readonly Slice[]> {
  const slices: Slice[] = [];
  let before = await readProcessorTimes(pids);
  for (let number = 1; number <= count; number += 1) {
    const proofs = await next(number);
    const stretch = await callers.ask('cut', { proofs });
    const after = await readProcessorTimes(pids);
    const upTo = proofs > 0 ? proofs : (slices.at(-1)?.upTo ?? 0) + stretch.proofs;
    const slice = sliceOf(upTo, stretch, timesBetween(before, after), await readMemory(pids));
    before = after;
    slices.push(slice);
    const { cost, service, postgres, ledger } = slice.processorMsPerProof;
    progress(
      `${upTo} proofs: ${slice.proofsPerSecond}/s, p50 ${slice.p50Ms} p99 ${slice.p99Ms} ms, ` +
        `${cost} ms per proof (service ${service}, PostgreSQL ${postgres}, ledger ${ledger})`,
    );
  }
  return slices;
}

/** The service's rate as a multiple of the others'. */
function ratios(proofsPerSecond: number, compared: Comparison) {
  const times = (other: { readonly validatedPerSecond: number }) =>
    round(proofsPerSecond / other.validatedPerSecond, 2);
  return {
    rawAsManyOutstanding: times(compared.rawAsManyOutstanding),
    rawFillingLedgers: times(compared.rawFillingLedgers),
    submitAndWait: times(compared.submitAndWait),
  };
}
