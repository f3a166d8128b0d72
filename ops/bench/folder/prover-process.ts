import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { serveParent } from '../harness/helper-process.ts';
import type { Account } from '../harness/tenant.ts';
import type { Receipt } from '../proofs/receipt.ts';
import { verifyPublicly } from '../proofs/verify-receipts.ts';

interface ProveOrder {
  readonly account: Account;
  readonly folder: string;
  readonly journal: string;
}

const orders = {
  /** Fills a folder with random files, a hundred in each folder below. */
  async fill({ folder, files }: { readonly folder: string; readonly files: number }) {
    for (let at = 0; at < files; at += 1) {
      const place = join(folder, String(Math.floor(at / 100)).padStart(4, '0'));
      if (at % 100 === 0) await mkdir(place, { recursive: true });
      await writeFile(join(place, `${at}.bin`), randomBytes(bytesOfFile));
    }
  },
  /** Proves the folder as a user does. Counts the files that have a nonce, and those that failed. */
  async prove({ account, folder, journal }: ProveOrder) {
    const { address: server, key: apiKey, workspace } = account;
    const proofmark = new Proofmark({ server, apiKey, workspace });
    const found = { proven: 0, withNonce: 0, failed: 0 };
    receipts = [];
    const startedAt = performance.now();
    for await (const result of proofmark.proveAll(folder, { journal })) {
      if (result.status === 'failed') {
        found.failed += 1;
        continue;
      }
      found.proven += 1;
      const { hash, proof } = result;
      const { txHash, proofNonce: nonce } = proof;
      if (nonce === null) continue;
      found.withNonce += 1;
      receipts.push({ hash, txHash, nonce, hashScheme: 'hmac-sha256-nonce-v3' });
    }
    return { ...found, ms: performance.now() - startedAt };
  },
  verify: ({ address }: { readonly address: string }) =>
    verifyPublicly(address, receipts, receipts.length),
};
export type ProverOrders = typeof orders;

const bytesOfFile = 4_096;
let receipts: Receipt[] = [];

serveParent(orders);
