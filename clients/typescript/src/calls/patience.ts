import { ProofmarkError } from '../errors.ts';
import { waitBefore } from './repeat.ts';
import type { Wait } from './wait.ts';

export interface PatienceOptions {
  /** Longest time to go on, in milliseconds. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a call until it succeeds, fails for good, or the patience is over; then rejects with the last
 * error. Before it calls again, awaits `prepare`, and otherwise the time that the error asks for.
 */
export async function untilDone<Result>(
  call: () => Promise<Result>,
  { patienceMs, signal }: { readonly patienceMs: number; readonly signal: AbortSignal | undefined },
  wait: Wait,
  prepare: (error: ProofmarkError, endsAtMs: number) => Promise<boolean> = async () => false,
): Promise<Result> {
  const endsAtMs = Date.now() + patienceMs;
  for (let attempts = 3; ; attempts += 1) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ProofmarkError) || !error.retryable) throw error;
      const waitMs = waitBefore(error, attempts);
      if (Date.now() + waitMs > endsAtMs) throw error;
      if (!(await prepare(error, endsAtMs))) await wait(waitMs, signal);
    }
  }
}
