import { ProofmarkError } from '../errors.ts';
import { waitBefore } from './repeat.ts';
import type { Wait } from './wait.ts';

export interface PatienceOptions {
  /** Longest time to go on, in milliseconds. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
}

interface Repetition {
  readonly patienceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly wait: Wait;
  /** True if the call is to be made again after this error. */
  readonly isRepeated: (error: ProofmarkError) => boolean;
  /** Awaited before the next call; resolves with false if the time that the error asks for must pass. */
  readonly prepare?: (error: ProofmarkError, endsAtMs: number) => Promise<boolean>;
}

/**
 * Makes a call until it succeeds, fails for good, or the patience is over; then rejects with the last
 * error.
 */
export async function untilDone<Result>(
  call: () => Promise<Result>,
  { patienceMs, signal, wait, isRepeated, prepare = async () => false }: Repetition,
): Promise<Result> {
  const endsAtMs = Date.now() + patienceMs;
  for (let attempts = firstAttempts; ; attempts += 1) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ProofmarkError) || !isRepeated(error)) throw error;
      const waitMs = waitBefore(error, attempts);
      if (Date.now() + waitMs > endsAtMs) throw error;
      if (!(await prepare(error, endsAtMs))) await wait(waitMs, signal);
    }
  }
}

/** Each call was repeated already, so the pauses begin with some seconds. */
const firstAttempts = 3;

/** Pauses between two requests for a state. They grow from the first to the last. */
export const pollMs = { first: 2_000, last: 15_000 };

interface Polling {
  readonly endsAtMs: number;
  readonly signal: AbortSignal | undefined;
  readonly wait: Wait;
}

/**
 * Asks until the answer is true, or the time is over. An error that passes, such as an outage, counts as
 * "not yet"; any other rejects.
 */
export async function pollUntil(
  isReady: () => Promise<boolean>,
  { endsAtMs, signal, wait }: Polling,
): Promise<void> {
  let pauseMs = pollMs.first;
  while (Date.now() < endsAtMs) {
    await wait(pauseMs, signal);
    pauseMs = Math.min(pollMs.last, pauseMs * 1.5);
    try {
      if (await isReady()) return;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ProofmarkError) || !error.retryable) throw error;
      const askedMs = 1_000 * (error.retryAfterSeconds ?? 0);
      if (Date.now() + askedMs > endsAtMs) return;
      pauseMs = Math.max(pauseMs, askedMs);
    }
  }
}
