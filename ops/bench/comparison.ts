import { startHelper } from './helper-process.ts';
import type { LedgerProcess } from './ledger-process.ts';
import type { OneByOneOrders, OneByOneSummary } from './one-by-one-process.ts';
import { progress } from './progress.ts';
import type { RawOrders, RawSummary } from './raw-client-process.ts';

/** What others get out of the same ledger. */
export interface Comparison {
  /** A raw client with as many outstanding as the service had callers. */
  readonly rawAsManyOutstanding: RawSummary;
  /** A raw client that fills every ledger up to where fees escalate. */
  readonly rawFillingLedgers: RawSummary;
  readonly submitAndWait: OneByOneSummary;
}

/** More than any of them gets validated in a second on two processors. */
const mostPerSecond = 2_500;

/** One after the other, each in a process of its own, while nobody else uses the ledger. */
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
  const rawAsManyOutstanding = await runRaw(ledger, accounts, outstanding, seconds);
  const rawFillingLedgers = await runRaw(ledger, accounts, openLedgerLimit, seconds);
  progress('comparing: submitAndWait, one after another');
  const { seeds } = await ledger.fund(1);
  const helper = startHelper<OneByOneOrders>('one-by-one-process.ts');
  try {
    const order = { url: ledger.url, seed: seeds[0] ?? '', seconds };
    const submitAndWait = await helper.ask('run', order);
    return { rawAsManyOutstanding, rawFillingLedgers, submitAndWait };
  } finally {
    await helper.stop();
  }
}

async function runRaw(
  ledger: LedgerProcess,
  accounts: number,
  outstanding: number,
  seconds: number,
): Promise<RawSummary> {
  progress(`comparing: raw client, ${outstanding} outstanding`);
  const { seeds } = await ledger.fund(accounts);
  const helper = startHelper<RawOrders>('raw-client-process.ts');
  try {
    const transactions = seconds * mostPerSecond;
    return await helper.ask('run', { url: ledger.url, seeds, transactions, outstanding, seconds });
  } finally {
    await helper.stop();
  }
}
