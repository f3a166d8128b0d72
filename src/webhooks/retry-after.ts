const dayMs = 86_400_000;

/**
 * The requested pause in milliseconds, at most a day (RFC 9110, 10.2.3: whole seconds, or a date).
 * Null without the header, or if the status is neither 429 nor 503.
 */
export function retryAfter(
  status: number | null,
  header: string | undefined,
  now: Date,
): number | null {
  if (header === undefined || (status !== 429 && status !== 503)) return null;
  const text = header.trim();
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1_000 : untilDate(text, now);
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), dayMs);
}

/** NaN for an invalid HTTP date: `Date.parse` alone accepts many other forms. */
function untilDate(text: string, now: Date): number {
  return /^[A-Z][a-z]{2}.*GMT$/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN;
}
