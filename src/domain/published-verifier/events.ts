import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Digest } from '../proof/digest.ts';

/**
 * The service serves these bytes at `/verify.py` from here on. In clear, so that anybody can compare
 * a copy of the verifier with the log.
 */
export type VerifierPublished = EventOf<
  'VerifierPublished',
  {
    /** SHA-256 of the file. */
    readonly sha256: Digest;
  }
>;

export const publishedVerifierEvents: DefinitionsOf<VerifierPublished> = {
  VerifierPublished: { schema: 1, clear: ['sha256'] },
};
