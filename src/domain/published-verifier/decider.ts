import type { Decisions, OwnedDecider } from '../decider.ts';
import type { Digest } from '../proof/digest.ts';
import type { VerifierPublished } from './events.ts';

/** Verifiers that were ever served, by the SHA-256 of their bytes, and the decisions on them. */
export const verifiersDecider = {
  initial: [] as readonly Digest[],
  evolve: (published, { data }) => [...published, data.sha256],
  ownerOf: () => null,
  publish,
} satisfies OwnedDecider<readonly Digest[], VerifierPublished> & Decisions;

function publish(published: readonly Digest[], sha256: Digest): readonly VerifierPublished[] {
  return published.includes(sha256) ? [] : [{ type: 'VerifierPublished', data: { sha256 } }];
}
