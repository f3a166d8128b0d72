import type { Limits, Verdict } from './request-limiter.ts';

/** The largest integer of structured fields (RFC 9651, 3.3.1). */
const maxInteger = 999_999_999_999_999;

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-11: lists of windows,
 * with `q` calls in `w` seconds, of which `r` remain and all are there again in `t` seconds. Without a
 * verdict it is not known how many remain, and nothing is said of it.
 */
export function rateLimitFields(
  limits: Limits,
  verdict: Verdict | null,
): Readonly<Record<string, string>> {
  const policies = [`"minute";q=${integer(limits.perMinute)};w=60`];
  if (limits.perDay !== null) policies.push(`"day";q=${integer(limits.perDay)};w=86400`);
  const fields = { 'RateLimit-Policy': policies.join(', ') };
  if (verdict === null) return fields;
  const states = verdict.windows.map(
    ({ name, remaining, leftMs }) =>
      `"${name}";r=${integer(remaining)};t=${Math.max(0, Math.ceil(leftMs / 1_000))}`,
  );
  return { ...fields, RateLimit: states.join(', ') };
}

function integer(count: number): number {
  return Math.min(count, maxInteger);
}
