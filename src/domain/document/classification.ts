import { Refusal } from '../refusal.ts';
import { lossOf } from './lossless-json.ts';

/**
 * What an agent said of a file: a JSON object of its own making. `runId` names the sweep under which
 * the document appears; without it, it appears under none.
 */
export type Classification = Readonly<Record<string, unknown>> & { readonly runId?: string };

const maxBytes = 16_384;
const maxRunIdCharacters = 128;
/** Deeper ones are made to exhaust whoever reads them. */
const maxDepth = 64;

/** Reads the JSON text that a caller sent. Refuses with INVALID_CLASSIFICATION. */
export function parseClassification(text: string): Classification {
  if (Buffer.byteLength(text, 'utf8') > maxBytes) malformed(`must have at most ${maxBytes} bytes`);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    malformed('must be a JSON object');
  }
  checkValue(value, 0);
  const loss = lossOf(text, value);
  if (loss !== null) malformed(`must not contain ${loss}`);
  const runId = Object.hasOwn(value, 'runId') ? (value as { runId: unknown }).runId : undefined;
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

function isRunId(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const { length } = [...value];
  return length >= 1 && length <= maxRunIdCharacters;
}

/** Values are what the whole service can store: no NUL, no lone surrogate, no infinite number. */
function checkValue(value: unknown, depth: number): void {
  if (depth > maxDepth) malformed(`must not be nested deeper than ${maxDepth} levels`);
  if (typeof value === 'string') checkString(value);
  // JSON.parse makes it of a number that is too large, and no JSON could be made of it again.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    malformed('must not contain numbers out of range');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    checkString(name);
    checkValue(member, depth + 1);
  }
}

function checkString(text: string): void {
  if (text.includes('\0')) malformed('must not contain NUL');
  if (!text.isWellFormed()) malformed('must be well-formed Unicode');
}

function malformed(why: string): never {
  throw new Refusal('INVALID_CLASSIFICATION', `agentClassification: ${why}`);
}
