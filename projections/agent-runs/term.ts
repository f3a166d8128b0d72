import { createHash } from 'node:crypto';
import type { OrganisationId } from '../../src/domain/ulid.ts';

/** Of a run: all of its decisions have them. */
export const runFields = ['workspaceId', 'mode', 'objective'] as const;
/** Of a decision. */
export const decisionFields = ['action', 'fileHash', 'proofId'] as const;

export type RunField = (typeof runFields)[number];
export type DecisionField = (typeof decisionFields)[number];

/** What stands for a value of a field in one organisation; every decision has the field `any`. */
export function termOf(
  organisationId: OrganisationId,
  field: RunField | DecisionField | 'any',
  value = '',
): Buffer {
  return hashOf(`${organisationId} ${field} ${value}`);
}

/** 16 bytes of SHA-256: of texts of any length, and without two that are alike. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest().subarray(0, 16);
}
