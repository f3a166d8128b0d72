import { z } from 'zod';
import { type Digest, isDigest } from '../domain/proof/digest.ts';
import { isUlid, type ProofId, type WorkspaceId } from '../domain/ulid.ts';

/**
 * Fields of the contract that become branded types: the casts stand behind the check that the
 * brand means.
 */
const badDigest = 'must be the SHA-256 of the file: 64 lower-case hexadecimal characters';
const badWorkspaceId = 'must be a workspace id, as in GET /workspaces';
const badProofId = 'must be a proof id';

export const digest = z
  .string({ error: badDigest })
  .refine(isDigest, { error: badDigest })
  .meta({ pattern: '^[a-f0-9]{64}$' })
  .transform((text) => text as Digest);

export const workspaceId = z
  .string({ error: badWorkspaceId })
  .refine(isUlid, { error: badWorkspaceId })
  .transform((text) => text as WorkspaceId);

export const proofId = z
  .string()
  .refine(isUlid, { error: badProofId })
  .transform((text) => text as ProofId);

/** A string of at most `maxLength` characters: Unicode code points, as JSON Schema counts them. */
export function text(maxLength: number) {
  return z
    .string()
    .refine((value) => hasAtMost(maxLength, value), {
      error: `must have at most ${maxLength} characters`,
    })
    .meta({ maxLength });
}

function hasAtMost(maxLength: number, value: string): boolean {
  if (value.length <= maxLength) return true;
  return value.length <= 2 * maxLength && [...value].length <= maxLength;
}
