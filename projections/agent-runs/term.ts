import { createHash } from 'node:crypto';
import type { OrganisationId } from '../../src/domain/ulid.ts';

/** Fields of a run, shared by all of its decisions. */
export const runFields = ['workspaceId', 'mode', 'objective'] as const;
/** Fields of a decision. */
export const decisionFields = ['action', 'fileHash', 'proofId'] as const;

type RunField = (typeof runFields)[number];
export type DecisionField = (typeof decisionFields)[number];

/** Term for a value of a field in one organisation. Every decision has the field `any`. */
export function termOf(
  organisationId: OrganisationId,
  field: RunField | DecisionField | 'any',
  value = '',
): Buffer {
  return hashOf(`${organisationId} ${field} ${value}`);
}

/**
 * First 16 bytes of the SHA-256: a fixed size for texts of any length, with no collisions expected.
 */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest().subarray(0, 16);
}
