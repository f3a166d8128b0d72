import { findFault, type JsonFault } from '../json-value.ts';

/** Maximum sizes as JSON. Runs are listed a hundred at a time. */
const maxObjectBytes = 16_384;
const maxListBytes = 32_768;

/** Finds a fault in an object of the agent's own form. Returns null if there is none. */
export function findObjectFault(value: unknown): JsonFault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { path: [], why: 'must be an object' };
  }
  return findFault(value, maxObjectBytes);
}

/** Finds a fault in counts. Returns null if there is none. */
export function findCountsFault(value: unknown): JsonFault | null {
  const fault = findObjectFault(value);
  if (fault !== null) return fault;
  const wrong = Object.entries(value as object).find(([, count]) => !isCount(count));
  return wrong ? { path: [wrong[0]], why: 'must be a whole number from 0 to 2^53 - 1' } : null;
}

/** Finds a fault in a list of strings. Returns null if there is none. */
export function findStringsFault(value: unknown): JsonFault | null {
  if (!Array.isArray(value)) return { path: [], why: 'must be an array' };
  const wrong = value.findIndex((member) => typeof member !== 'string');
  if (wrong >= 0) return { path: [wrong], why: 'must be a string' };
  return findFault(value, maxListBytes);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
