import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { findInexact } from '../../domain/exact-json.ts';
import { formatPath, maxDepth } from '../../domain/json-value.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type Input, parseInput } from '../input.ts';

/** Maximum size of the JSON bodies of most routes. */
export const maxJsonBytes = 1_048_576;

/**
 * Parses a JSON body by a route's schema. Refuses with INVALID_JSON (empty, not UTF-8), and as
 * `parseJsonObject` and `parseInput` do.
 */
export function parseBody<Body>(input: JsonInput<Body>, bytes: Uint8Array): Body {
  const text = decode(bytes);
  const value = parseJsonObject(text, input);
  return parseInput(input, value, { mayBeBroken: mayBeBroken(text) });
}

interface JsonInput<Body> extends Input<Body> {
  readonly exactly?: boolean;
  readonly levelsAbove?: number;
}

/**
 * Returns false if no string in the JSON can contain NUL or a lone surrogate. In UTF-8, only
 * escapes produce NUL or a lone surrogate.
 */
function mayBeBroken(json: string): boolean {
  return /\\u(?:0000|d[89a-f])/i.test(json);
}

/**
 * Parses the object of a JSON body. Refuses with INVALID_JSON (not JSON) or INVALID_REQUEST (no
 * object). With `exactly`, also refuses the findings of `findInexact` with INVALID_REQUEST.
 */
function parseJsonObject(
  text: string,
  { exactly = false, levelsAbove = 0 }: Pick<JsonInput<unknown>, 'exactly' | 'levelsAbove'>,
): Record<string, unknown> {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('INVALID_REQUEST', 'body: must be a JSON object');
  }
  const fault = exactly ? findInexact(text, maxDepth + levelsAbove) : null;
  if (fault) throw new Refusal('INVALID_REQUEST', `${formatPath(fault) || 'body'}: ${fault.why}`);
  return value as Record<string, unknown>;
}

/** RFC 9112, 6.3: a request has a body only if one of these headers announces it. */
export function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * Checks the head of a request before its body is received. Refuses with INVALID_JSON (empty body),
 * UNSUPPORTED_MEDIA_TYPE or PAYLOAD_TOO_LARGE.
 */
export function checkAnnouncedJson(req: IncomingMessage, maxBytes: number): void {
  if (hasNoBody(req)) throw new Refusal('INVALID_JSON', 'the body is empty; send a JSON object');
  requireJson(req);
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

/** Refusal of a body whose client left before its end. */
export function bodyIncomplete(): Refusal {
  return new Refusal('INVALID_REQUEST', 'body: ended before it was complete');
}

export function bodyTooLarge(maxBytes: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `the body is larger than ${maxBytes} bytes`);
}

function requireJson({ headers }: IncomingMessage): void {
  const type = parseType(headers['content-type']);
  const charset = type?.params.get('charset')?.toLowerCase() ?? 'utf-8';
  if (type?.essence !== 'application/json' || !['utf-8', 'utf8'].includes(charset)) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json in UTF-8');
  }
  requireNoEncoding(headers);
}

export function requireNoEncoding(headers: IncomingHttpHeaders): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new Refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Encoding must be absent; send the body uncompressed',
    );
  }
}

/** Media type of a Content-Type header; null if absent or malformed. */
export function parseType(header: string | undefined): MIMEType | null {
  try {
    return new MIMEType(header ?? '');
  } catch {
    return null;
  }
}

function decode(bytes: Uint8Array): string {
  if (bytes.length === 0)
    throw new Refusal('INVALID_JSON', 'the body is empty; send a JSON object');
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
