import { findFault, type JsonFault } from '../json-value.ts';

/** Maximum size of a free value as JSON. Runs are listed a hundred at a time. */
export const maxFreeBytes = 32_768;

/** Finds a fault in a value of the agent's own form. Returns null if there is none. */
export function findFreeFault(value: unknown): JsonFault | null {
  return findFault(value, maxFreeBytes);
}
