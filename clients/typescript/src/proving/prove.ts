import type { Api } from '../calls/api.ts';
import { pollUntil, untilDone } from '../calls/patience.ts';
import type { Wait } from '../calls/wait.ts';
import { ProofmarkError } from '../errors.ts';
import type { components } from '../generated/openapi.ts';

/** Facts about a file that the service keeps with its proof. */
export interface FileFacts {
  readonly fileName?: string;
  readonly fileSize?: number;
  readonly mimeType?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ProofOrder extends FileFacts {
  /** SHA-256 of the file: 64 lower-case hexadecimal characters. */
  readonly hash: string;
  readonly workspace: string;
  readonly hashScheme?: 'hmac-sha256-nonce-v3' | 'sha256-plain-v1';
}

/** A proof on the ledger. */
export type Proof = components['schemas']['ProofData'] & {
  /** SHA-256 of the file. */
  readonly hash: string;
  /** True if an earlier call has made the proof. */
  readonly alreadyProven: boolean;
};

interface ProveDeps {
  readonly api: Api;
  readonly wait: Wait;
  readonly patienceMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Proves a hash, and waits until it is proven. The call may be repeated: a hash is proven once. */
export async function proveHash(order: ProofOrder, deps: ProveDeps): Promise<Proof> {
  const { api, signal } = deps;
  const { body } = await untilProven(
    () => api.POST('/proofs', { body: order, signal: signal ?? null }),
    deps,
  );
  return { ...body.data, hash: order.hash, alreadyProven: 'alreadyProven' in body };
}

/** Posts a hash until its proof is completed. While it is queued, asks for its status. */
function untilProven<Result>(
  post: () => Promise<Result>,
  { api, wait, patienceMs, signal }: ProveDeps,
): Promise<Result> {
  return untilDone(post, {
    ...{ patienceMs, signal, wait },
    isRepeated: (error) => error.retryable,
    async prepare({ proofId }, endsAtMs) {
      if (proofId === null) return false;
      // A proof that was rolled back must be posted again; without the scope, posting tells.
      const isSettled = async () => (await progressOf(api, proofId, signal)) !== 'queued';
      await pollUntil(isSettled, { endsAtMs, signal, wait });
      return true;
    },
  });
}

/** `gone` if the proof was rolled back, `hidden` if the key may not read it. */
export type ProofProgress = 'queued' | 'completed' | 'gone' | 'hidden';

export async function progressOf(
  api: Api,
  proofId: string,
  signal: AbortSignal | undefined,
): Promise<ProofProgress> {
  try {
    const path = { proofId };
    const { body } = await api.GET('/proofs/{proofId}', {
      params: { path },
      signal: signal ?? null,
    });
    return body.data.blockchainStatus === 'completed' ? 'completed' : 'queued';
  } catch (error) {
    const status = error instanceof ProofmarkError ? error.status : null;
    if (status === 404) return 'gone';
    if (status === 403) return 'hidden';
    throw error;
  }
}
