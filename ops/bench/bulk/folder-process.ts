import { createHash } from 'node:crypto';
import { callApi, keepAliveAgent } from '../harness/calls.ts';
import { serveParent } from '../harness/helper-process.ts';
import { createLatencies, type LatencySummary } from '../harness/latencies.ts';
import type { Account } from '../harness/tenant.ts';
import type { Receipt } from '../proofs/receipt.ts';
import { verifyPublicly } from '../proofs/verify-receipts.ts';

interface FolderOrder {
  readonly account: Account;
  readonly hashes: number;
  readonly itemsInBatch: number;
}

/** Answers to the calls for all hashes. */
interface Answered {
  readonly ms: number;
  /** Latencies of the calls. */
  readonly latencyMs: LatencySummary;
}

const orders = {
  /** Posts all hashes in batches, one after the other. Rejects if a batch is refused. */
  async prove({ account, ...order }: FolderOrder) {
    const statuses: Record<number, number> = {};
    receipts = [];
    const answered = await callForAll(account, order, '/proofs/batch', (hashes) => ({
      json: { items: hashes.map((hash, at) => ({ hash, fileName: `${at}.pdf`, fileSize: at })) },
      read(results: readonly Result[]) {
        for (const [at, { status, body }] of results.entries()) {
          statuses[status] = (statuses[status] ?? 0) + 1;
          const { txHash, proofNonce: nonce, hashScheme } = body.data ?? {};
          const hash = hashes[at] ?? '';
          if (txHash && nonce && hashScheme) receipts.push({ hash, txHash, nonce, hashScheme });
        }
      },
    }));
    const distinctTransactions = new Set(receipts.map(({ txHash }) => txHash)).size;
    return { ...answered, statuses, distinctTransactions };
  },
  /** Looks all hashes up, as many in a call as in a batch. */
  async lookUp({ account, ...order }: FolderOrder) {
    let proven = 0;
    const answered = await callForAll(account, order, '/proofs/lookup', (hashes) => ({
      json: { hashes },
      read(results: readonly { readonly proven: boolean }[]) {
        proven += results.filter((one) => one.proven).length;
      },
    }));
    return { ...answered, proven };
  },
  verify: ({ address, most }: { readonly address: string; readonly most: number }) =>
    verifyPublicly(address, receipts, most),
};
export type FolderOrders = typeof orders;

interface Result {
  readonly status: number;
  readonly body: { readonly data?: Readonly<Record<string, string | null>> };
}

let receipts: Receipt[] = [];

async function callForAll<Read>(
  account: Account,
  { hashes, itemsInBatch }: Omit<FolderOrder, 'account'>,
  path: string,
  batch: (hashes: readonly string[]) => {
    readonly json: object;
    readonly read: (results: Read) => void;
  },
): Promise<Answered> {
  const agent = keepAliveAgent(1);
  const latencies = createLatencies();
  const startedAt = performance.now();
  for (let first = 0; first < hashes; first += itemsInBatch) {
    const some = Array.from({ length: Math.min(itemsInBatch, hashes - first) }, (_, at) =>
      createHash('sha256')
        .update(`file ${first + at}`)
        .digest('hex'),
    );
    const { json, read } = batch(some);
    const { workspace } = account;
    const begunAt = performance.now();
    const answer = await callApi(agent, account, path, JSON.stringify({ workspace, ...json }));
    latencies.record(performance.now() - begunAt);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    read(JSON.parse(answer.text).data);
  }
  agent.destroy();
  return { ms: performance.now() - startedAt, latencyMs: latencies.summary() };
}

serveParent(orders);
