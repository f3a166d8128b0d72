import { z } from 'zod';
import { canonicalDateTime, canonicalInstant } from '../domain/date-time.ts';
import { type Digest, isDigest } from '../domain/proof/digest.ts';
import { isRunId, maxRunIdCharacters } from '../domain/run/run-id.ts';
import {
  type DocumentId,
  isUlid,
  type KeyId,
  type LinkId,
  type ProofId,
  ulidPattern,
  type WebhookId,
  type WorkspaceId,
} from '../domain/ulid.ts';

/**
 * Fields of the API that become branded types. Each cast follows the check that its brand
 * requires. `meta` defines the fields in the OpenAPI document.
 */
const badDigest = 'must be the SHA-256 of the file: 64 lower-case hexadecimal characters';
const badWorkspaceId = 'must be a workspace id, as returned by GET /workspaces';
const badProofId = 'must be a proof id';
const badDocumentId = 'must be a document id';

const anId = { pattern: ulidPattern, examples: ['01M7XT7V10RJ1CFD26ZBSKQXP6'] };

export const digest = z
  .string({ error: badDigest })
  .refine(isDigest, { error: badDigest })
  .meta({
    pattern: '^[a-f0-9]{64}$',
    description: 'the SHA-256 of a file, in lower-case hexadecimal',
    examples: ['568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5'],
  })
  .transform((text) => text as Digest);

export const workspaceId = z
  .string({ error: badWorkspaceId })
  .refine(isUlid, { error: badWorkspaceId })
  .meta({ ...anId, description: 'a workspace id, as returned by GET /workspaces' })
  .transform((text) => text as WorkspaceId);

export const proofId = z
  .string()
  .refine(isUlid, { error: badProofId })
  .meta({ ...anId, description: 'a proof id' })
  .transform((text) => text as ProofId);

export const documentId = z
  .string()
  .refine(isUlid, { error: badDocumentId })
  .meta({ ...anId, description: 'a document id' })
  .transform((text) => text as DocumentId);

export const webhookId = z
  .string()
  .refine(isUlid, { error: 'must be the id of a webhook endpoint' })
  .meta({ ...anId, description: 'the id of a webhook endpoint' })
  .transform((text) => text as WebhookId);

export const linkId = z
  .string()
  .refine(isUlid, { error: 'must be the id of a link' })
  .meta({ ...anId, description: 'the id of a link' })
  .transform((text) => text as LinkId);

export const apiKeyId = z
  .string()
  .refine(isUlid, { error: 'must be the id of an API key' })
  .meta({ ...anId, description: 'the id of an API key' })
  .transform((text) => text as KeyId);

export const deliveryId = z
  .string()
  .refine(isUlid, { error: 'must be the id of a delivery' })
  .meta({ ...anId, description: 'the id of a delivery' });

/** A string of at most `maxLength` characters: Unicode code points, as JSON Schema counts them. */
export function text(maxLength: number) {
  return z
    .string()
    .refine((value) => hasAtMost(maxLength, value), {
      error: `must have at most ${maxLength} characters`,
    })
    .meta({ maxLength });
}

/**
 * Text of a form, whose bytes may be invalid UTF-8. Invalid bytes arrive as U+FFFD and would not be
 * stored as sent, so U+FFFD is refused.
 */
export function formText(maxLength: number) {
  return text(maxLength).refine(isUtf8, { error: notUtf8 });
}

const notUtf8 = 'must be valid UTF-8 without the character U+FFFD';

function isUtf8(value: string): boolean {
  return !value.includes('\u{fffd}');
}

/** An agent's classification of a file. */
export const classificationText = jsonText(
  'agent keys only: a JSON object of at most 16 kB that describes the file; its runId links the ' +
    'file to an agent run; an empty one counts as absent',
);

/** JSON text of a form that is not parsed here. An empty text and JSON's null mean absent. */
export function jsonText(description: string) {
  return z
    .string({ error: 'must be one JSON object' })
    .refine(isUtf8, { error: notUtf8 })
    .transform((text) => (['', 'null'].includes(text.trim()) ? undefined : text))
    .meta({ description, contentMediaType: 'application/json', maxLength: 16_384 })
    .optional();
}

/**
 * Boolean of a query: `true`, `false`, `1` or `0`, in any case, as languages write them. Undefined
 * if it is none.
 */
export function readBoolean(value: unknown): boolean | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}

/** Boolean query parameter; false if absent. */
export function trueOrFalse() {
  return z
    .string({ error: 'must be true or false' })
    .refine((value) => readBoolean(value) !== undefined, { error: 'must be true or false' })
    .transform((value) => readBoolean(value) === true)
    .meta({ type: 'boolean' })
    .default(false);
}

const badRunId = `must be a string of 1 to ${maxRunIdCharacters} characters`;

export const runId = z
  .string({ error: badRunId })
  .refine(isRunId, { error: badRunId })
  .meta({
    minLength: 1,
    maxLength: maxRunIdCharacters,
    description: 'the name of a run, chosen by the caller; percent-encode it in a path',
    examples: ['nightly/2026-11-21'],
  });

const badDateTime = 'must be an ISO 8601 date-time with time zone, such as 2030-01-31T12:00:00Z';

/** Date-time, kept as written. */
export const dateTime = z
  .string({ error: badDateTime })
  .refine((value) => canonicalDateTime(value) !== null, { error: badDateTime })
  .meta({ format: 'date-time' });

/**
 * Date-time in a query, to the nanosecond, so that texts sort by time. An offset's `+` that was not
 * percent-encoded arrives as a blank and is restored.
 */
export const instant = z
  .string({ error: badDateTime })
  .transform((value) => value.replace(/ (?=[\d:]+$)/, '+'))
  .pipe(dateTime)
  .transform((value) => canonicalInstant(value) ?? value)
  .meta({ format: 'date-time' });

/** A whole number in a query. */
export function queryNumber(from: number, to: number) {
  const error = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .refine((value) => value >= from && value <= to, { error })
    .meta({ type: 'integer', pattern: undefined, minimum: from, maximum: to });
}

/** Paging parameters of every list. */
export const pageQuery = {
  page: queryNumber(1, 1_000_000_000)
    .default(1)
    .meta({ description: 'the page of the list, from 1', examples: [2] }),
  limit: queryNumber(1, 100)
    .default(20)
    .meta({ description: 'the maximum number of items on a page', examples: [50] }),
};

function hasAtMost(maxLength: number, value: string): boolean {
  if (value.length <= maxLength) return true;
  return value.length <= 2 * maxLength && [...value].length <= maxLength;
}
