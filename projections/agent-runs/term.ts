import { createHash } from 'node:crypto';
import type { OrganisationId } from '../../src/domain/ulid.ts';

/** The members of a decision that decisions are found by. */
export const termFields = ['action', 'fileHash', 'proofId'] as const;
export type TermField = (typeof termFields)[number];

/** What stands for a value of a field in one organisation. */
export function termOf(organisationId: OrganisationId, field: TermField, value: string): Buffer {
  return hashOf(`${organisationId} ${field} ${value}`);
}

/** 16 bytes of SHA-256: of texts of any length, and without two that are alike. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest().subarray(0, 16);
}
