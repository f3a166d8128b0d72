import { ProofmarkError } from '../src/errors.ts';
import type { Proofmark } from '../src/proofmark.ts';
import type { FileResult } from '../src/proving/prove-all.ts';
import type { ManifestEntry } from './manifest.ts';

interface ProveHashesOptions {
  /** Facts to send about a file with this name. */
  readonly describe: (name: string) => { readonly fileName?: string };
  readonly signal: AbortSignal;
}

const atOnce = 8;

/**
 * Proves hashes, several at once, and yields the results in their order. Rejects as soon as the service
 * refuses a hash for a reason that all others share, cannot be reached, or proves none for so long that the
 * patience with one is over.
 */
export async function* proveHashes(
  client: Proofmark,
  entries: readonly ManifestEntry[],
  { describe, signal }: ProveHashesOptions,
): AsyncGenerator<FileResult> {
  const ending = new AbortController();
  const done = { proven: 0 };
  const options = { describe, done, signal: AbortSignal.any([signal, ending.signal]) };
  const proofs: Promise<FileResult>[] = [];
  try {
    for (let at = 0; at < entries.length; at += 1) {
      for (const entry of entries.slice(proofs.length, at + atOnce)) {
        const proof = proveEntry(client, entry, options);
        // Awaited in its turn, unless an earlier one ends the run.
        proof.catch(() => {});
        proofs.push(proof);
      }
      const result = await proofs[at];
      if (result !== undefined) yield result;
    }
  } finally {
    ending.abort();
  }
}

async function proveEntry(
  client: Proofmark,
  { name, hash }: ManifestEntry,
  { describe, done, signal }: ProveHashesOptions & { readonly done: { proven: number } },
): Promise<FileResult> {
  const provenBefore = done.proven;
  try {
    const base = name.slice(name.lastIndexOf('/') + 1);
    const proof = await client.proveHash(hash, { signal, ...describe(base) });
    const { proofId, txHash, timestamp, proofNonce } = proof;
    if (txHash === null || timestamp === null) throw new Error('a proof without a transaction');
    done.proven += 1;
    const anchored = { proofId, txHash, timestamp, proofNonce };
    return { status: 'proven', name, hash, size: 0, proof: anchored };
  } catch (error) {
    if (signal.aborted || !(error instanceof ProofmarkError) || isOfAll(error)) throw error;
    // The patience was over, and no other hash was proven in that time.
    if (error.retryable && done.proven === provenBefore) throw error;
    return { status: 'failed', name, error };
  }
}

/** Statuses of refusals that concern the key, the address or the limits. */
const ofAll: readonly (number | null)[] = [401, 403, 404, 429];

/** True if every other hash of the run fails in the same way. */
function isOfAll({ code, status }: ProofmarkError): boolean {
  return code === 'CONNECTION_FAILED' || code === 'INVALID_WORKSPACE' || ofAll.includes(status);
}
