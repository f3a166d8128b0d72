import { createHash } from 'node:crypto';
import { maxTokenBytes } from '../verifier/evidence/limits.ts';
import { BadToken } from './bad-token.ts';
import { encodeRequest } from './encode-request.ts';
import { readResponse } from './read-response.ts';
import { type VerifiedToken, verifyToken } from './verify-token.ts';

/** An answer has the token, and some bytes around it. */
const maxBytes = maxTokenBytes + 1_024;
const defaultTimeoutMs = 30_000;
/** Difference between the clocks of authority and service that is no lie. */
const maxClockDifferenceMs = 300_000;

/** A time-stamping authority. */
export interface Authority {
  /** `https:` or `http:`, possibly with user and password. */
  readonly url: string;
  /** Certificates to trust, DER. */
  readonly roots: readonly Uint8Array[];
  /** Time for the whole answer; default 30 s. */
  readonly timeoutMs?: number;
  /** Largest error that a token may state for its time, in microseconds; default: any. */
  readonly maxAccuracyMicros?: number;
}

export interface Timestamp extends VerifiedToken {
  /** DER, as sent. */
  readonly token: Buffer;
}

/**
 * Asks the authority for a time-stamp token of the data, over HTTP (RFC 3161, 3.4), and verifies it.
 * The answer has 30 s and 33 KiB, and redirects are not followed. Rejects with `TimestampRefused`,
 * with `BadToken` for a false answer or an accuracy worse than permitted, or with another error if the
 * authority cannot be reached.
 */
export async function askAuthority(
  { url, roots, timeoutMs = defaultTimeoutMs, maxAccuracyMicros = Infinity }: Authority,
  data: Uint8Array,
  stopped: AbortSignal,
): Promise<Timestamp> {
  const { bytes, nonce } = encodeRequest(createHash('sha256').update(data).digest());
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
  const askedAt = Date.now();
  const token = readResponse(await post(new URL(url), bytes, signal));
  const verified = await verifyToken(token, { data, nonce, roots });
  const time = Date.parse(verified.time);
  if (time < askedAt - maxClockDifferenceMs || time > Date.now() + maxClockDifferenceMs) {
    throw new BadToken(
      `its time ${verified.time} differs from this machine's clock by more than 5 minutes`,
    );
  }
  requireAccuracy(verified.accuracyMicros, maxAccuracyMicros);
  return { ...verified, token };
}

function requireAccuracy(micros: number | null, most: number): void {
  if (micros === null || micros <= most) return;
  const error =
    micros === Infinity ? 'by a time that is no number' : `by ${Math.ceil(micros / 1_000_000)} s`;
  throw new BadToken(
    `its time may be wrong ${error}, more than the ${most / 1_000_000} s that are accepted; set ` +
      'TSA_URL and TSA_CERTIFICATES to a more accurate authority',
  );
}

async function post(url: URL, body: Buffer, signal: AbortSignal): Promise<Buffer> {
  const headers: Record<string, string> = { 'Content-Type': 'application/timestamp-query' };
  if (url.username !== '' || url.password !== '') {
    const credentials = [url.username, url.password].map(decodeURIComponent).join(':');
    headers.Authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  const response = await fetch(url, { method: 'POST', redirect: 'error', headers, body, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the authority answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new BadToken(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
