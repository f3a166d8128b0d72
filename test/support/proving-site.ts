import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Wait } from '../../clients/typescript/src/calls/wait.ts';
import { Proofmark } from '../../clients/typescript/src/proofmark.ts';
import type { FileResult } from '../../clients/typescript/src/proving/prove-all.ts';
import { newFolder } from './blobs.ts';
import { json, startScriptedService } from './scripted-service.ts';

export const workspace = '01M7XT7TQ3W1Y1YB2MWHC1M0JS';
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

interface Item {
  readonly hash: string;
  readonly fileName?: string;
  readonly fileSize?: number;
}

interface Result {
  readonly status: number;
  readonly body: object;
  readonly retryAfterSeconds?: number;
}

const salted = { hashScheme: 'hmac-sha256-nonce-v3', proofCommitment: 'C' };

export const failed = (code: string, more: object = {}, retryAfterSeconds?: number): Result => ({
  status: 502,
  body: { success: false, code, message: code, ...more },
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/**
 * A service that proves hashes as the real one does: each once, with its nonce in the first answer. `decide` may
 * give other results, and answer a whole batch instead. Answers later requests for a nonce, too, unless `mayRead` is
 * false.
 */
export async function startProvingSite(
  t: Pick<Test, 'teardown'>,
  decide: (item: Item, batch: number) => Result | null = () => null,
  headers: Readonly<Record<string, string>> = {},
  { mayRead = true } = {},
) {
  const noncesAsked: string[] = [];
  const proofs = new Map<string, string>();
  const batches: Item[][] = [];
  const lookUps: string[][] = [];
  const service = await startScriptedService(t, (response, call) => {
    if (!mayRead && !call.path.endsWith('/batch')) {
      const refusal = { success: false, code: 'SCOPE_NOT_PERMITTED', message: 'no scope' };
      json(403, refusal)(response, call);
      return;
    }
    const [, asked] = /\/proofs\/(P\d+)\?includeSalt=true$/.exec(call.path) ?? [];
    if (asked !== undefined) {
      noncesAsked.push(asked);
      const [hash] = [...proofs].find(([, proofId]) => proofId === asked) ?? [];
      json(200, { success: true, data: { proofNonce: `nonce of ${hash}` } })(response, call);
      return;
    }
    const { items, hashes } = JSON.parse(call.body);
    if (call.path.endsWith('/lookup')) {
      lookUps.push(hashes);
      const data = hashes.map((hash: string) => {
        const proofId = proofs.get(hash) ?? null;
        const known = { txHash: 'T', timestamp: '2026-11-21T01:06:31.000Z' };
        return { hash, proofId, proven: proofId !== null, ...known };
      });
      json(200, { success: true, data })(response, call);
      return;
    }
    batches.push(items);
    const data = items.map((item: Item): Result => {
      const decided = decide(item, batches.length);
      if (decided !== null) return decided;
      const isKnown = proofs.has(item.hash);
      proofs.set(item.hash, proofs.get(item.hash) ?? `P${proofs.size + 1}`);
      const proof = { proofId: proofs.get(item.hash), txHash: 'T', timestamp: 'now', ...salted };
      const proofNonce = isKnown ? null : `nonce of ${item.hash}`;
      return {
        status: isKnown ? 200 : 201,
        body: { success: true, data: { ...proof, proofNonce } },
      };
    });
    json(200, { success: true, data }, headers)(response, call);
  });
  const waits: number[] = [];
  const wait: Wait = async (ms) => void waits.push(ms);
  const proofmark = new Proofmark({ server: service.url, apiKey: 'k', workspace, wait });
  return { ...service, proofs, batches, lookUps, noncesAsked, waits, proofmark };
}

/** A folder with files of these names and texts. */
export async function filled(t: Pick<Test, 'teardown'>, texts: Readonly<Record<string, string>>) {
  const folder = join(await newFolder(t), 'folder');
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Each result as a name and a code. */
export const inWords = (results: readonly FileResult[]) =>
  results.map((each) => `${each.name} ${each.status === 'failed' ? each.error.code : 'proven'}`);
