import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Agent } from 'node:http';
import { callApi } from '../harness/calls.ts';
import type { Account } from '../harness/tenant.ts';

/** Parts of the answer to POST /proofs that verification needs. */
export interface Receipt {
  readonly hash: string;
  readonly txHash: string;
  readonly nonce: string;
  readonly hashScheme: string;
}

/** Posts the hash of a file without a proof. */
export async function postProof(
  agent: Agent,
  account: Account,
): Promise<{ readonly status: number; readonly receipt: Receipt | null; readonly text: string }> {
  const hash = createHash('sha256').update(randomBytes(32)).digest('hex');
  const { workspace } = account;
  const json = JSON.stringify({ hash, workspace, fileName: `${hash.slice(0, 12)}.pdf` });
  const answer = await callApi(agent, account, '/proofs', json);
  return { ...answer, receipt: answer.status === 201 ? receiptOf(hash, answer.text) : null };
}

function receiptOf(hash: string, text: string): Receipt | null {
  const { data } = JSON.parse(text) as { readonly data: Readonly<Record<string, string | null>> };
  const { txHash, proofNonce: nonce, hashScheme } = data;
  return txHash && nonce && hashScheme ? { hash, txHash, nonce, hashScheme } : null;
}

/** Commitment that the ledger must hold: HMAC-SHA-256 of the digest under the nonce. */
export function commitmentOf({ hash, nonce }: Receipt): string {
  return createHmac('sha256', Buffer.from(nonce, 'hex'))
    .update(Buffer.from(hash, 'hex'))
    .digest('hex');
}
