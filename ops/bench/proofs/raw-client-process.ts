import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'xrpl';
import { proofMemo } from '../../../src/domain/proof/memo.ts';
import { type SignedBlob, signAnchor } from '../../../src/ledger/anchor-transaction.ts';
import { createSeedSigner } from '../../../src/ledger/signer.ts';
import { round } from '../harness/figures.ts';
import { serveParent } from '../harness/helper-process.ts';
import { createLatencies, type LatencySummary } from '../harness/latencies.ts';

export interface RawOptions {
  readonly url: string;
  /** Seeds of funded accounts that no other client signs with. */
  readonly seeds: readonly string[];
  /** Maximum number of transactions; the run ends early when all are submitted. */
  readonly transactions: number;
  /** Maximum number of submitted transactions that are not validated yet. */
  readonly outstanding: number;
  readonly seconds: number;
}

export interface RawSummary {
  readonly validatedPerSecond: number;
  readonly validated: number;
  readonly outstanding: number;
  /** From submission to the notification of the validated ledger. */
  readonly latencyMs: LatencySummary;
}

const submitsUnderWay = 64;
const idleMs = 2;

const orders = { run };
export type RawOrders = typeof orders;

/**
 * Submits presigned transactions like the service's, but without log or API. Sends them in the
 * order of Sequences over one connection, and reads each closed ledger once.
 */
async function run(options: RawOptions): Promise<RawSummary> {
  const { url, transactions, outstanding, seconds } = options;
  const client = new Client(url);
  await client.connect();
  const dropped = new Promise<never>((_, reject) => {
    client.once('disconnected', (code) => {
      reject(new Error(`the server closed the connection with code ${code}`));
    });
  });
  dropped.catch(() => {});
  try {
    const blobs = await signAll(client, options.seeds, transactions);
    const sentAt = new Map<string, number>();
    const latencies = createLatencies();
    const startedAt = performance.now();
    const until = startedAt + seconds * 1_000;
    let lastValidatedAt = startedAt;
    client.on('ledgerClosed', async ({ ledger_index }) => {
      const { result } = await client.request({
        command: 'ledger',
        ledger_index,
        transactions: true,
      });
      const now = performance.now();
      for (const hash of (result.ledger.transactions ?? []) as unknown as string[]) {
        const at = sentAt.get(hash);
        if (at === undefined || !sentAt.delete(hash)) continue;
        latencies.record(now - at);
        lastValidatedAt = now;
      }
    });
    await client.request({ command: 'subscribe', streams: ['ledger'] });
    const left = blobs.values();
    const submitNext = async () => {
      while (performance.now() < until) {
        if (sentAt.size >= outstanding) {
          await delay(idleMs);
          continue;
        }
        const { value: next } = left.next();
        if (next === undefined) return;
        sentAt.set(next.hash, performance.now());
        const engineResult = await submit(client, next.blob, until);
        if (!/^(tes|terQUEUED|terPRE_SEQ)/.test(engineResult)) {
          throw new Error(`the ledger refused a transaction: ${engineResult}`);
        }
      }
    };
    const submitAll = async () => {
      await Promise.all(Array.from({ length: submitsUnderWay }, submitNext));
      while (sentAt.size > 0) await delay(idleMs);
    };
    await Promise.race([submitAll(), dropped]);
    const latencyMs = latencies.summary();
    const validated = latencyMs.count;
    const perSecond = (validated * 1_000) / (lastValidatedAt - startedAt);
    return { validatedPerSecond: round(perSecond, 1), validated, outstanding, latencyMs };
  } finally {
    await client.disconnect();
  }
}

/**
 * Submits again while the server's queue is full. Returns the server's last result. The server may
 * have kept a transaction that it refused for its queue: the next attempt then finds its Sequence
 * used.
 */
async function submit(client: Client, blob: string, until: number): Promise<string> {
  for (let attempts = 1; ; attempts += 1) {
    const { result } = await client.request({ command: 'submit', tx_blob: blob });
    const { engine_result: found } = result;
    if (attempts > 1 && found === 'tefPAST_SEQ') return 'tesSUCCESS';
    if (!found.startsWith('telCAN_NOT_QUEUE') || performance.now() > until) return found;
    await delay(idleMs);
  }
}

/** Signs transactions for all accounts in turn. */
async function signAll(
  client: Client,
  seeds: readonly string[],
  count: number,
): Promise<readonly SignedBlob[]> {
  const { result } = await client.request({ command: 'server_info' });
  const lastLedgerSequence = (result.info.validated_ledger?.seq ?? 0) + ledgersToLive;
  const signers = await Promise.all(
    seeds.map(async (seed) => {
      const signer = createSeedSigner(seed);
      const { result } = await client.request({ command: 'account_info', account: signer.address });
      return { signer, first: result.account_data.Sequence };
    }),
  );
  return Array.from({ length: count }, (_, place) => {
    const chosen = signers[place % signers.length];
    if (chosen === undefined) throw new Error('no account to sign with');
    const sequence = chosen.first + Math.floor(place / signers.length);
    const fileHash = randomBytes(32).toString('hex');
    const memo = proofMemo({ fileHash, hashScheme: 'sha256-plain-v1' });
    return signAnchor({ sequence, feeDrops, lastLedgerSequence, memo }, chosen.signer);
  });
}

const ledgersToLive = 600;
const feeDrops = 10;

serveParent(orders);
