import { z } from 'zod';
import { canonicalDateTime, canonicalInstant } from '../domain/date-time.ts';
import { type Digest, isDigest } from '../domain/proof/digest.ts';
import { isRunId, maxRunIdCharacters } from '../domain/run/run-id.ts';
import {
  type DocumentId,
  isUlid,
  type KeyId,
  type ProofId,
  ulidPattern,
  type WebhookId,
  type WorkspaceId,
} from '../domain/ulid.ts';

/**
 * Fields of the contract that become branded types: the casts stand behind the check that the
 * brand means. What `meta` tells is how the OpenAPI document shows them.
 */
const badDigest = 'must be the SHA-256 of the file: 64 lower-case hexadecimal characters';
const badWorkspaceId = 'must be a workspace id, as in GET /workspaces';
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
  .meta({ ...anId, description: 'a workspace id, as in GET /workspaces' })
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
 * The same in a form, whose bytes need not be UTF-8: what is not has become U+FFFD on the way, and
 * would not be kept as it came.
 */
export function formText(maxLength: number) {
  return text(maxLength).refine(isUtf8, { error: notUtf8 });
}

const notUtf8 = 'must be valid UTF-8, and without U+FFFD';

function isUtf8(value: string): boolean {
  return !value.includes('\u{fffd}');
}

/** What an agent says of a file, as JSON text; whoever takes it parses it. */
export const classificationText = z
  .string({ error: 'must be one JSON object' })
  .refine(isUtf8, { error: notUtf8 })
  .meta({
    description:
      'a JSON object of at most 16 KB, from the key of an agent alone; runId names its run',
    contentMediaType: 'application/json',
    maxLength: 16_384,
  });

/** A switch in a query, off where it is absent. */
export function trueOrFalse() {
  return z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .meta({ type: 'boolean', enum: undefined })
    .default(false);
}

const badRunId = `must be a string of 1 to ${maxRunIdCharacters} characters`;

export const runId = z
  .string({ error: badRunId })
  .refine(isRunId, { error: badRunId })
  .meta({
    minLength: 1,
    maxLength: maxRunIdCharacters,
    description: "the caller's own name of a run; percent-encoded in a path",
    examples: ['nightly/2026-11-21'],
  });

const badDateTime = 'must be an ISO 8601 date-time with time zone, such as 2030-01-31T12:00:00Z';

/** As it was written. */
export const dateTime = z
  .string({ error: badDateTime })
  .refine((value) => canonicalDateTime(value) !== null, { error: badDateTime })
  .meta({ format: 'date-time' });

/**
 * Of a query; to the nanosecond, so that texts are in the order of time. The `+` of an offset that was
 * not percent-encoded has become a blank on the way.
 */
export const instant = z
  .string({ error: badDateTime })
  .transform((value) => value.replace(/ (?=[\d:]+$)/, '+'))
  .pipe(dateTime)
  .transform((value) => canonicalInstant(value) ?? value)
  .meta({ format: 'date-time' });

/** A whole number in a query. */
export function wholeNumber(from: number, to: number) {
  const error = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .refine((value) => value >= from && value <= to, { error })
    .meta({ type: 'integer', pattern: undefined, minimum: from, maximum: to });
}

/** Which page of a list, and how much of it: what every list is asked alike. */
export const pageQuery = {
  page: wholeNumber(1, 1_000_000_000)
    .default(1)
    .meta({ description: 'which page of the list; 1 is the first', examples: [2] }),
  limit: wholeNumber(1, 100)
    .default(20)
    .meta({ description: 'how many items a page has at most', examples: [50] }),
};

function hasAtMost(maxLength: number, value: string): boolean {
  if (value.length <= maxLength) return true;
  return value.length <= 2 * maxLength && [...value].length <= maxLength;
}
