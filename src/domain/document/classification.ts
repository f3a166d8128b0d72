import { findInexact } from '../exact-json.ts';
import { findFault, formatPath, type JsonFault } from '../json-value.ts';
import { Refusal } from '../refusal.ts';
import { isRunId, maxRunIdCharacters } from '../run/run-id.ts';

/**
 * An agent's statement about a file: a JSON object of its own form. `runId` names the sweep under
 * which the document is listed. Without `runId` it is listed under none.
 */
export type Classification = Readonly<Record<string, unknown>> & { readonly runId?: string };

const maxBytes = 16_384;

/**
 * Reads the JSON text that a caller sent. A `runId` that is null counts as absent. Refuses with
 * INVALID_CLASSIFICATION.
 */
export function parseClassification(text: string): Classification {
  if (Buffer.byteLength(text, 'utf8') > maxBytes) malformed(`must have at most ${maxBytes} bytes`);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    malformed('must be a JSON object');
  }
  refuse(findInexact(text) ?? findFault(value, Number.POSITIVE_INFINITY));
  const runId = Object.hasOwn(value, 'runId') ? (value as { runId: unknown }).runId : undefined;
  if (runId === null) {
    const { runId: _, ...others } = value as Record<string, unknown>;
    return others;
  }
  if (runId !== undefined && !isRunId(runId)) {
    malformed(`runId must be a string of 1 to ${maxRunIdCharacters} characters`);
  }
  return value as Classification;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return malformed('must be JSON');
  }
}

function refuse(fault: JsonFault | null): void {
  if (fault === null) return;
  malformed(fault.path.length === 0 ? fault.why : `${formatPath(fault)} ${fault.why}`);
}

function malformed(why: string): never {
  throw new Refusal('INVALID_CLASSIFICATION', `agentClassification: ${why}`);
}
