import { createHash, createHmac } from 'node:crypto';
import { until } from './until.ts';

/** A caller of the API: address, key and workspace. */
export interface Caller {
  readonly address: string;
  readonly key: string;
  readonly workspace: string;
}

/** A proof as the API documents it, with the status fields. */
export interface ProofData {
  readonly proofId: string;
  readonly txHash: string | null;
  readonly ledger: string;
  readonly ledgerIndex: number | null;
  readonly requestedAt: string;
  readonly timestamp: string;
  readonly hashScheme: string;
  readonly proofCommitment: string | null;
  readonly proofNonce: string | null;
  readonly blockchainStatus?: string;
  readonly evidence?: string;
  readonly fileHash?: string;
}

export interface Verification {
  readonly transactionHash: string;
  readonly network: string;
  readonly verified: boolean;
  readonly ledgerIndex: number;
  readonly ledgerCloseTime: string;
  readonly memo: { readonly fileHash: string; readonly hashScheme: string };
}

export interface Answer<Data = ProofData> {
  readonly status: number;
  /** `alreadyProven` is present only if true, `data` only on success, the other members only on failure. */
  readonly body: {
    readonly success: boolean;
    readonly alreadyProven?: boolean;
    readonly data?: Data;
    readonly code?: string;
    readonly message?: string;
    readonly notReady?: readonly string[];
  };
}

/** The SHA-256 of a made-up file, in hex; a different one for every name. */
export function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

export async function postProof(
  { address, key, workspace }: Caller,
  hash: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  return read(
    await fetch(`${address}/api/v1/proofs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ hash, workspace, ...more }),
    }),
  );
}

/**
 * Posts until the hash is proven, as clients do: on a busy machine the transaction of a fast ledger may
 * expire, and a call may end before the ledger does.
 */
export function prove(
  caller: Caller,
  hash: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ProofData> {
  return until('the hash is proven', async () => {
    const answer = await postProof(caller, hash, more);
    return answer.status !== 502 && dataOf(answer);
  });
}

/** Posts with `Prefer: respond-async`: the answer does not wait for the ledger. */
export async function queueProof(
  { address, key, workspace }: Caller,
  hash: string,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return read(
    await fetch(`${address}/api/v1/proofs`, {
      method: 'POST',
      headers: { ...headers, prefer: 'respond-async' },
      body: JSON.stringify({ hash, workspace }),
    }),
  );
}

export async function getProof({ address, key }: Caller, proofId: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  return read(await fetch(`${address}/api/v1/proofs/${proofId}?includeSalt=true`, { headers }));
}

/** Verifies a transaction without a key, as anybody may. */
export async function verify(
  address: string,
  txHash: string | null,
): Promise<Answer<Verification>> {
  return read(await fetch(`${address}/api/public/verify/${txHash}`));
}

export async function readiness(address: string): Promise<Answer<never>> {
  return read(await fetch(`${address}/readyz`));
}

async function read<Data>(response: Response): Promise<Answer<Data>> {
  return { status: response.status, body: (await response.json()) as Answer<Data>['body'] };
}

/** Data of a successful answer; throws on any other. */
export function dataOf<Data>({ status, body }: Answer<Data>): Data {
  if (body.data !== undefined) return body.data;
  throw new Error(`no data: ${status} ${JSON.stringify(body)}`);
}

/** The value that the ledger must show for a file, computed by the documented recipe. */
export function recipe(fileHash: string, { hashScheme, proofNonce }: ProofData): string {
  if (hashScheme === 'sha256-plain-v1') return fileHash;
  if (proofNonce === null) throw new Error('the recipe needs the nonce');
  return createHmac('sha256', Buffer.from(proofNonce, 'hex'))
    .update(Buffer.from(fileHash, 'hex'))
    .digest('hex');
}
