import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ZodType } from 'zod';
import { type Signer, signingAccount } from '../ledger/signer.ts';
import { SignerUnavailable } from '../ledger/signer-unavailable.ts';
import {
  accountsAnswer,
  accountsPath,
  maxMessages,
  refusal,
  signAnswer,
  signPath,
} from './protocol.ts';

const answerMs = 10_000;

/** The accounts for which a signing process signs. */
export interface RemoteSigners {
  /** Null if the process has no key of this account. */
  of(address: string): Signer | null;
  close(): void;
}

/**
 * Asks the signing process on the Unix socket for its accounts. Rejects with `SignerUnavailable` if
 * it does not answer.
 */
export async function openRemoteSigners(socket: string): Promise<RemoteSigners> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const call = caller(socket, agent);
  const { accounts } = await call('GET', accountsPath, null, accountsAnswer).catch((error) => {
    agent.destroy();
    throw error;
  });
  const signers = new Map(
    accounts.map(({ address, publicKey }): [string, Signer] => {
      const sign = async (messages: readonly Buffer[]) => {
        const parts: string[] = [];
        for (let from = 0; from < messages.length; from += maxMessages) {
          const part = messages.slice(from, from + maxMessages);
          const body = { account: address, messages: part.map((bytes) => hexOf(bytes)) };
          const { signatures } = await call('POST', signPath, body, signAnswer);
          if (signatures.length !== part.length)
            throw new SignerUnavailable('signatures are missing');
          parts.push(...signatures);
        }
        return parts;
      };
      return [address, { ...signingAccount(address, publicKey), sign }];
    }),
  );
  return { of: (address) => signers.get(address) ?? null, close: () => agent.destroy() };
}

function hexOf(bytes: Buffer): string {
  return bytes.toString('hex').toUpperCase();
}

function caller(socketPath: string, agent: Agent) {
  return async <Body>(
    method: string,
    path: string,
    body: object | null,
    answer: ZodType<Body>,
  ): Promise<Body> => {
    const { status, content } = await exchange({ socketPath, agent, method, path }, body).catch(
      (cause) => {
        const { name, message } = cause as Error;
        const what = name === 'TimeoutError' ? `no answer within ${answerMs / 1_000} s` : message;
        throw new SignerUnavailable(`${socketPath} does not answer: ${what}`, { cause });
      },
    );
    const read = status === 200 ? answer.safeParse(content) : null;
    if (read?.success) return read.data;
    const reason = refusal.safeParse(content).data?.error ?? 'it is not understood';
    throw new SignerUnavailable(`${socketPath} answers ${status}: ${reason}`);
  };
}

interface Target {
  readonly socketPath: string;
  readonly agent: Agent;
  readonly method: string;
  readonly path: string;
}

interface Exchanged {
  readonly status: number;
  readonly content: unknown;
}

/**
 * Sends the request. Sends it again if the kept connection turns out to be closed: the same
 * signatures may be asked for twice.
 */
function exchange(target: Target, body: object | null): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...target, signal: AbortSignal.timeout(answerMs) }, (response) => {
      text(response)
        .then((content) => resolve({ status: response.statusCode ?? 0, content: parse(content) }))
        .catch(reject);
    });
    sent.on('error', (error) => {
      if (sent.reusedSocket && !('name' in error && error.name === 'AbortError')) {
        exchange(target, body).then(resolve, reject);
      } else reject(error);
    });
    sent.setHeader('Content-Type', 'application/json');
    sent.end(body === null ? undefined : JSON.stringify(body));
  });
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
