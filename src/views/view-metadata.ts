import type { ProofMetadata } from '../domain/proof/metadata.ts';

/** The metadata of a proof with every member: the description is stored apart from the others. */
export function viewMetadata({
  description,
  metadata,
}: {
  readonly description: string | null;
  readonly metadata: ProofMetadata | null;
}): Record<string, unknown> {
  return { ...(description !== null && { description }), ...metadata };
}
