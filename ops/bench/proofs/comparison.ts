import { startHelper } from '../harness/helper-process.ts';
import type { LedgerProcess } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import type { OneByOneOrders, OneByOneSummary } from './one-by-one-process.ts';
import type { RawOrders, RawSummary } from './raw-client-process.ts';

/**
 * Rates of other clients on the same ledger. These clients pay no heed to a server's limits, so a
 * public server may drop them before they are done.
 */
export interface Comparison {
  /** A raw client with as many outstanding transactions as the service had callers. */
  readonly rawAsManyOutstanding: RawSummary | Stopped;
  /** A raw client that fills every ledger up to the limit above which fees escalate. */
  readonly rawFillingLedgers: RawSummary | Stopped;
  readonly submitAndWait: OneByOneSummary | Stopped;
}

/** A client that was not measured, and why. */
interface Stopped {
  readonly stopped: string;
}

/** More than any client gets validated in a second on two processors. */
const mostPerSecond = 2_500;

/**
 * Measures the clients one after the other, each in a separate process, without other users of the
 * ledger.
 */
export async function compare(
  ledger: LedgerProcess,
  options: {
    readonly accounts: number;
    readonly outstanding: number;
    readonly openLedgerLimit: number;
    readonly seconds: number;
  },
): Promise<Comparison> {
  const { accounts, outstanding, openLedgerLimit, seconds } = options;
  return {
    rawAsManyOutstanding: await orWhy(runRaw(ledger, accounts, outstanding, seconds)),
    rawFillingLedgers: await orWhy(runRaw(ledger, accounts, openLedgerLimit, seconds)),
    submitAndWait: await orWhy(runOneByOne(ledger, seconds)),
  };
}

/** Keeps the figures of the service if another client fails. */
async function orWhy<Summary>(run: Promise<Summary>): Promise<Summary | Stopped> {
  try {
    return await run;
  } catch (error) {
    // The messages of a client may end with a stack.
    const [stopped = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    progress(`It was not measured: ${stopped}`);
    return { stopped };
  }
}

async function runRaw(
  ledger: LedgerProcess,
  accounts: number,
  outstanding: number,
  seconds: number,
): Promise<RawSummary> {
  progress(`Comparing with a raw client: ${outstanding} transactions outstanding`);
  const { seeds } = await ledger.fund(accounts);
  const transactions = seconds * mostPerSecond;
  await using cleanUp = new AsyncDisposableStack();
  const file = new URL('./raw-client-process.ts', import.meta.url);
  const { ask } = startHelper<RawOrders>(file, cleanUp);
  return await ask('run', { url: ledger.url, seeds, transactions, outstanding, seconds });
}

async function runOneByOne(ledger: LedgerProcess, seconds: number): Promise<OneByOneSummary> {
  progress('Comparing with submitAndWait: one transaction after another');
  const { seeds } = await ledger.fund(1);
  await using cleanUp = new AsyncDisposableStack();
  const file = new URL('./one-by-one-process.ts', import.meta.url);
  const { ask } = startHelper<OneByOneOrders>(file, cleanUp);
  return await ask('run', { url: ledger.url, seed: seeds[0] ?? '', seconds });
}
