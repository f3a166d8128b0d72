import { findFault, type JsonFault } from '../json-value.ts';

/** Further members of a proof's metadata, besides its description, as the caller sent them. */
export type ProofMetadata = Readonly<Record<string, unknown>>;

const maxMetadataBytes = 16_384;

/** Finds a fault in metadata. Returns null if there is none. */
export function findMetadataFault(value: unknown): JsonFault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { path: [], why: 'must be an object' };
  }
  return findFault(value, maxMetadataBytes);
}
