import type { Api } from '../calls/api.ts';
import { ProofmarkError } from '../errors.ts';
import type { components } from '../generated/openapi.ts';

/** A hash, and its proof in the workspace. */
export type KnownHash = components['schemas']['KnownHash'];

const hashesOfCall = 1_000;

/** Looks up hashes, a thousand in each call; one result for each hash, in their order. Results have lower case. */
export async function lookUpHashes(
  api: Api,
  workspace: string,
  hashes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<KnownHash[]> {
  const found: KnownHash[] = [];
  for (let at = 0; at < hashes.length; at += hashesOfCall) {
    const some = hashes.slice(at, at + hashesOfCall).map((hash) => hash.toLowerCase());
    const { body } = await api.POST('/proofs/lookup', {
      body: { workspace, hashes: some },
      signal: signal ?? null,
    });
    const known: unknown = body.data;
    const isAnswer =
      Array.isArray(known) &&
      known.length === some.length &&
      some.every((hash, index) => known[index]?.hash === hash);
    if (!isAnswer) {
      const message = 'the answer is not about the hashes that were asked, in their order';
      throw new ProofmarkError('UNEXPECTED_ANSWER', message);
    }
    found.push(...body.data);
  }
  return found;
}
