import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { ProofmarkError } from './errors.ts';
import type { webhooks } from './generated/openapi.ts';

/** A delivery of any kind; `type` tells which. */
export type WebhookEvent = {
  [Kind in keyof webhooks]: webhooks[Kind]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

interface Delivery {
  /** `whsec_…` of the endpoint; several while secrets are exchanged. */
  readonly secret: string | readonly string[];
  /** Headers of the request, under names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it was received: text or bytes, not parsed JSON. */
  readonly body: string | Uint8Array;
  /** Largest accepted difference to the time of the attempt; by default 300 seconds. */
  readonly toleranceSeconds?: number;
  /** Now, in milliseconds since 1970. */
  readonly nowMs?: number;
}

/**
 * Checks the signature of a delivery (Standard Webhooks 1.0), and returns its event. Throws a
 * ProofmarkError with INVALID_SIGNATURE if the delivery is not genuine, or too old.
 */
export function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
  nowMs = Date.now(),
}: Delivery): WebhookEvent {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('webhook-timestamp is no time');
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw invalid('the delivery is too old, or the clocks differ');
  }
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  const head = utf8.encode(`${id}.${timestamp}.`);
  const expected = [secret].flat().map((one) => {
    const mac = hmac.create(sha256, keyOf(one)).update(head).update(bytes).digest();
    return `v1,${btoa(String.fromCharCode(...mac))}`;
  });
  const isGenuine = expected.some((one) => signatures.some((given) => isSame(one, given)));
  if (!isGenuine) throw invalid('no signature of the delivery is by this secret');
  const event: WebhookEvent = JSON.parse(new TextDecoder().decode(bytes));
  return event;
}

const utf8 = new TextEncoder();

function keyOf(secret: string): Uint8Array {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (base64 === undefined) {
    throw new ProofmarkError('INVALID_OPTION', 'secret: must be whsec_ and base64');
  }
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Compares in a time that does not depend on the place of a difference. */
function isSame(expected: string, given: string): boolean {
  if (expected.length !== given.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) {
    difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  }
  return difference === 0;
}

function headerOf(headers: Delivery['headers'], name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof found !== 'string') throw invalid(`the delivery has no ${name}`);
  return found;
}

function invalid(message: string): ProofmarkError {
  return new ProofmarkError('INVALID_SIGNATURE', message);
}
