const dayMs = 86_400_000;

/**
 * How long an answer asks to be left alone (RFC 9110, 10.2.3: whole seconds, or a date), in
 * milliseconds and a day at most; null where it does not say, or only other statuses than 429 and
 * 503 say it.
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

/** NaN for what is no date of HTTP: `Date.parse` alone would take far more than that. */
function untilDate(text: string, now: Date): number {
  return /^[A-Z][a-z]{2}.*GMT$/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN;
}
