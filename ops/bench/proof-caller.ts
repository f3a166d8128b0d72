import { createHash, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

/** Where proofs are posted, and for whom. */
export interface Account {
  readonly address: string;
  readonly key: string;
  readonly workspace: string;
}

/** What the caller of POST /proofs keeps of its answer. */
export interface Receipt {
  readonly hash: string;
  readonly txHash: string;
  readonly nonce: string;
  readonly hashScheme: string;
}

export interface Answer {
  /** 0 where there was none: the connection failed. */
  readonly status: number;
  readonly text: string;
}

/** An agent that keeps as many connections open as there are callers. */
export function keepAliveAgent(callers: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: callers, maxFreeSockets: callers });
}

/** Posts the hash of a file that nobody has proven yet. */
export async function postProof(
  agent: Agent,
  { address, key, workspace }: Account,
): Promise<{ readonly status: number; readonly receipt: Receipt | null; readonly text: string }> {
  const hash = createHash('sha256').update(randomBytes(32)).digest('hex');
  const body = JSON.stringify({ hash, workspace, fileName: `${hash.slice(0, 12)}.pdf` });
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const answer = await call(agent, 'POST', `${address}/api/v1/proofs`, headers, body);
  return { ...answer, receipt: answer.status === 201 ? receiptOf(hash, answer.text) : null };
}

function receiptOf(hash: string, text: string): Receipt | null {
  const { data } = JSON.parse(text) as { readonly data: Readonly<Record<string, string | null>> };
  const { txHash, proofNonce: nonce, hashScheme } = data;
  return txHash && nonce && hashScheme ? { hash, txHash, nonce, hashScheme } : null;
}

/** One HTTP request; a failed connection is an answer with status 0. */
export function call(
  agent: Agent,
  method: 'GET' | 'POST',
  url: string,
  headers: Readonly<Record<string, string | number>> = {},
  body = '',
): Promise<Answer> {
  return new Promise((answered) => {
    const failed = (error: Error) => answered({ status: 0, text: error.message });
    const outgoing = request(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => {
        answered({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}
