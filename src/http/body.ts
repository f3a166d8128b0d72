import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MIMEType } from 'node:util';
import getRawBody, { type RawBodyError } from 'raw-body';
import { findInexact } from '../domain/exact-json.ts';
import { nameOf } from '../domain/json-value.ts';
import { Refusal } from '../domain/refusal.ts';
import { ValueCounter } from './count-values.ts';

export const maxJsonBytes = 1_048_576;

/**
 * Maximum objects, arrays, strings, numbers and literals in a body. A run of 8 MB that consists of the
 * shortest possible decisions has 870,000.
 */
const maxValues = 900_000;
const countedAtOnce = 262_144;

/**
 * Reads the bytes of a JSON body, 1 MB of them at most unless told otherwise. Refuses with
 * UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_JSON (empty), INVALID_REQUEST (too many values).
 */
export async function readJsonBytes(
  req: IncomingMessage,
  maxBytes: number = maxJsonBytes,
): Promise<Buffer> {
  if (hasNoBody(req)) throw new Refusal('INVALID_JSON', 'the body is empty');
  requireJson(req);
  const bytes = await readBytes(req, maxBytes);
  await limitValues(bytes);
  return bytes;
}

/** Counts before anything is built, in pieces, so that other calls are served meanwhile. */
async function limitValues(bytes: Buffer): Promise<void> {
  const counter = new ValueCounter(maxValues);
  for (let at = 0; at < bytes.length; at += countedAtOnce) {
    if (at > 0) await nextTurn();
    counter.add(bytes.subarray(at, at + countedAtOnce));
  }
}

/**
 * The object of a JSON body. Refuses with INVALID_JSON (not UTF-8, not JSON), INVALID_REQUEST (no
 * object; where it is to be kept `exactly`, also what `findInexact` finds).
 */
export function parseJsonObject(
  bytes: Buffer,
  { exactly = false }: { readonly exactly?: boolean } = {},
): Record<string, unknown> {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('INVALID_REQUEST', 'body: must be a JSON object');
  }
  const fault = exactly ? findInexact(text) : null;
  if (fault) throw new Refusal('INVALID_REQUEST', `${nameOf(fault) || 'body'}: ${fault.why}`);
  return value as Record<string, unknown>;
}

/** RFC 9112, 6.3: a request has a body only if one of these headers says so. */
export function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function requireJson({ headers }: IncomingMessage): void {
  const type = parseType(headers['content-type']);
  const charset = type?.params.get('charset')?.toLowerCase() ?? 'utf-8';
  if (type?.essence !== 'application/json' || charset !== 'utf-8') {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json in UTF-8');
  }
  requireNoEncoding(headers);
}

export function requireNoEncoding(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be absent');
  }
}

/** The media type that a Content-Type names; null where it names none. */
export function parseType(header: string | undefined): MIMEType | null {
  try {
    return new MIMEType(header ?? '');
  } catch {
    return null;
  }
}

async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const length = req.headers['content-length'] ?? null;
  try {
    return await getRawBody(req, { limit: maxBytes, length });
  } catch (error) {
    const { type } = error as RawBodyError;
    if (type === 'entity.too.large') {
      throw new Refusal('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBytes} bytes`);
    }
    // The connection broke: nobody reads the answer, but it is no fault of the service.
    if (type === 'request.aborted' || type === 'request.size.invalid' || req.destroyed) {
      throw new Refusal('INVALID_REQUEST', 'body: ended before it was complete');
    }
    throw error;
  }
}

function decode(bytes: Buffer): string {
  if (bytes.length === 0) throw new Refusal('INVALID_JSON', 'the body is empty');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('INVALID_JSON', 'the body is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    throw new Refusal('INVALID_JSON', 'the body is not valid JSON');
  }
}
