const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Pauses after the first, second, … failure of one delivery, before jitter. */
const retryPausesMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];

const jitter = 0.2;

/**
 * Pause after the `failures`th failure (from 1) of a delivery: the schedule ±20 %, so that
 * deliveries that failed together are not retried together. At least `retryAfterMs`, the receiver's
 * request (null without one). Null after the last attempt. `random` is in [0, 1).
 */
export function pauseAfter(
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const pauseMs = retryPausesMs[failures - 1];
  if (pauseMs === undefined) return null;
  const jitteredMs = pauseMs * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(jitteredMs, retryAfterMs ?? 0));
}

/** An endpoint with nothing but failures for this long is disabled. */
export const failingForMs = 5 * 24 * hourMs;
