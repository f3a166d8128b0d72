import { canonicalDateTime } from '../date-time.ts';
import { findFault, type JsonFault } from '../json-value.ts';
import { type Digest, isDigest } from '../proof/digest.ts';
import { type DocumentId, isUlid, type ProofId } from '../ulid.ts';

/**
 * An agent's decision about one subject, with any further members of its own. Null means not given.
 */
export type Decision = Readonly<Record<string, unknown>> & {
  readonly subject: string;
  readonly action: string;
  readonly reason?: string | null;
  readonly fileHash?: Digest | null;
  readonly proofId?: ProofId | null;
  readonly documentId?: DocumentId | null;
  /** 0–1. */
  readonly confidence?: number | null;
  /** ISO 8601. */
  readonly at?: string | null;
};

/** Maximum number of decisions kept of a run. Further ones are only counted. */
export const maxDecisions = 5_000;
/** Maximum size of one decision as JSON: lists hold a hundred decisions. */
export const maxDecisionBytes = 65_536;

type Check = readonly [is: (value: unknown) => boolean, otherwise: string];

const text: Check = [(value) => typeof value === 'string', 'must be a string'];
const ulid: Check = [
  (value) => typeof value === 'string' && isUlid(value),
  'must be the id of a document or proof',
];

const required: Readonly<Record<string, Check>> = { subject: text, action: text };
const optional: Readonly<Record<string, Check>> = {
  reason: text,
  fileHash: [
    (value) => typeof value === 'string' && isDigest(value),
    'must be a SHA-256: 64 lower-case hexadecimal characters',
  ],
  proofId: ulid,
  documentId: ulid,
  confidence: [
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
    'must be a number from 0 to 1',
  ],
  at: [
    (value) => typeof value === 'string' && canonicalDateTime(value) !== null,
    'must be an ISO 8601 date-time with time zone',
  ],
};

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
  const decision = value as Readonly<Record<string, unknown>>;
  for (const [name, [is, why]] of Object.entries(required)) {
    if (!Object.hasOwn(decision, name)) return { path: [name], why: 'is missing' };
    if (!is(decision[name])) return { path: [name], why };
  }
  for (const [name, [is, why]] of Object.entries(optional)) {
    const given = Object.hasOwn(decision, name) ? decision[name] : null;
    if (given !== null && !is(given)) return { path: [name], why };
  }
  return findFault(decision, maxDecisionBytes);
}
