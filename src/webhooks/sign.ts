import { createHmac } from 'node:crypto';

/** The signed content: the message's id, the time of this attempt, and the body as sent. */
interface SignedMessage {
  /** Stable across attempts; without a `.`. */
  readonly id: string;
  readonly timestampSeconds: number;
  readonly body: string;
}

/** Headers that a receiver verifies, per Standard Webhooks 1.0.0. */
interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Signs with every secret, so that a receiver that knows any of them can verify; during a rotation
 * there are two. A secret is `whsec_` and the base64 of the key.
 */
export function sign(message: SignedMessage, secrets: readonly string[]): SignatureHeaders {
  const { id, timestampSeconds, body } = message;
  const signed = `${id}.${timestampSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${macOf(signed, secret)}`).join(' '),
  };
}

const prefix = 'whsec_';

function macOf(text: string, secret: string): string {
  if (!secret.startsWith(prefix)) throw new Error('a webhook secret without its prefix');
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return createHmac('sha256', key).update(text, 'utf8').digest('base64');
}
