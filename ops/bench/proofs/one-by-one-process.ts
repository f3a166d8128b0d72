import { randomBytes } from 'node:crypto';
import { Client, Wallet } from 'xrpl';
import { round } from '../harness/figures.ts';
import { serveParent } from '../harness/helper-process.ts';
import { createLatencies, type LatencySummary } from '../harness/latencies.ts';

export interface OneByOneOptions {
  readonly url: string;
  /** Seed of a funded account that no other client signs with. */
  readonly seed: string;
  readonly seconds: number;
}

export interface OneByOneSummary {
  readonly validatedPerSecond: number;
  readonly validated: number;
  readonly latencyMs: LatencySummary;
}

const orders = { run };
export type OneByOneOrders = typeof orders;

/** A simple client: `submitAndWait` of the xrpl client, one transaction after another. */
async function run({ url, seed, seconds }: OneByOneOptions): Promise<OneByOneSummary> {
  const client = new Client(url);
  await client.connect();
  try {
    const wallet = Wallet.fromSeed(seed);
    const latencies = createLatencies();
    const startedAt = performance.now();
    while (performance.now() - startedAt < seconds * 1_000) {
      const at = performance.now();
      const MemoData = randomBytes(64).toString('hex').toUpperCase();
      const { result } = await client.submitAndWait(
        { TransactionType: 'AccountSet', Account: wallet.address, Memos: [{ Memo: { MemoData } }] },
        { wallet },
      );
      if (result.validated !== true)
        throw new Error('submitAndWait returned a transaction that is not validated');
      latencies.record(performance.now() - at);
    }
    const latencyMs = latencies.summary();
    const validated = latencyMs.count;
    const perSecond = (validated * 1_000) / (performance.now() - startedAt);
    return { validatedPerSecond: round(perSecond, 2), validated, latencyMs };
  } finally {
    await client.disconnect();
  }
}

serveParent(orders);
