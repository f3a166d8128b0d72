import { type Fault, findFault } from '../json-value.ts';

/** As JSON. Runs are listed a hundred at a time. */
export const maxObjectBytes = 16_384;
export const maxListBytes = 32_768;

/** What is wrong with an object of the agent's own making; null if nothing. */
export function findObjectFault(value: unknown): Fault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { path: [], why: 'must be an object' };
  }
  return findFault(value, maxObjectBytes);
}

/** What is wrong with counts; null if nothing. */
export function findCountsFault(value: unknown): Fault | null {
  const fault = findObjectFault(value);
  if (fault !== null) return fault;
  const wrong = Object.entries(value as object).find(([, count]) => !isCount(count));
  return wrong ? { path: [wrong[0]], why: 'must be a whole number from 0 to 2^53 - 1' } : null;
}

/** What is wrong with a list of strings; null if nothing. */
export function findStringsFault(value: unknown): Fault | null {
  if (!Array.isArray(value)) return { path: [], why: 'must be an array' };
  const wrong = value.findIndex((member) => typeof member !== 'string');
  if (wrong >= 0) return { path: [wrong], why: 'must be a string' };
  return findFault(value, maxListBytes);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
