import { findFault, type JsonFault } from '../json-value.ts';

/**
 * An agent's decision about one subject: an object of the agent's own form. Lists filter by the
 * texts in `action`, `fileHash` and `proofId`.
 */
export type Decision = Readonly<Record<string, unknown>>;

/** Maximum number of decisions kept of a run. Further ones are only counted. */
export const maxDecisions = 5_000;
/** Maximum size of one decision as JSON: lists hold a hundred decisions. */
const maxDecisionBytes = 65_536;

/**
 * Finds a fault in a list of decisions, including those that are only counted. Returns null if
 * there is none.
 */
export function findDecisionsFault(value: unknown): JsonFault | null {
  if (!Array.isArray(value)) return { path: [], why: 'must be an array' };
  for (const [index, decision] of value.entries()) {
    const fault = findDecisionFault(decision);
    if (fault !== null) return { path: [index, ...fault.path], why: fault.why };
  }
  return null;
}

function findDecisionFault(value: unknown): JsonFault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { path: [], why: 'must be an object' };
  }
  return findFault(value, maxDecisionBytes);
}
