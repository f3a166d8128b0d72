import { ProofmarkError } from '../errors.ts';
import { isIdempotent } from './idempotent.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Wait } from './wait.ts';

/** Limits of the repetition of one call. */
export interface Patience {
  /** Most attempts in all. */
  readonly maxAttempts: number;
  /** Longest single wait, in milliseconds. An error that asks for a longer one is thrown at once. */
  readonly maxWaitMs: number;
}

interface RepeatedCall {
  readonly method: string;
  /** Template of the OpenAPI document. */
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

interface RepeatDeps {
  readonly patience: Patience;
  readonly limits: RateLimits;
  readonly wait: Wait;
}

/**
 * Makes a call, and repeats it as the advice about its error says. Waits first if a known rate limit
 * is used up. Rejects with the last error, or with the reason of the signal.
 */
export async function repeat<Result>(
  { method, path, signal }: RepeatedCall,
  attempt: (attempts: number) => Promise<Result>,
  { patience, limits, wait }: RepeatDeps,
): Promise<Result> {
  const idempotent = isIdempotent(method, path);
  const repeatedOnce = new Set<string>();
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted();
    const limitedMs = limits.take(path === '/proofs/batch' ? 'items' : 'request');
    // With a longer wait the service refuses the call, and states when it is allowed.
    if (limitedMs > 0 && limitedMs <= patience.maxWaitMs) await wait(limitedMs, signal);
    try {
      return await attempt(attempts);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ProofmarkError) || attempts >= patience.maxAttempts) throw error;
      if (!mayRepeat(error, idempotent, repeatedOnce)) throw error;
      const waitMs = waitBefore(error, attempts);
      if (waitMs > patience.maxWaitMs) throw error;
      await wait(waitMs, signal);
    }
  }
}

function mayRepeat(error: ProofmarkError, idempotent: boolean, repeatedOnce: Set<string>): boolean {
  switch (error.retry) {
    case 'never':
    case 'later':
      return false;
    case 'repeat':
      return true;
    case 'if idempotent':
      return idempotent;
    case 'once':
    case 'once if idempotent': {
      if (repeatedOnce.has(error.code)) return false;
      repeatedOnce.add(error.code);
      return error.retry === 'once' || idempotent;
    }
  }
}

const firstBackoffMs = 500;
const maxBackoffMs = 15_000;

/** Time that the service asks for; without one a growing, random time. */
export function waitBefore({ retryAfterSeconds }: ProofmarkError, attempts: number): number {
  return retryAfterSeconds === null ? backoffMs(attempts) : 1_000 * retryAfterSeconds;
}

/** A growing, random time. */
export function backoffMs(attempts: number): number {
  const longest = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempts - 1));
  return longest * (0.5 + Math.random() / 2);
}
