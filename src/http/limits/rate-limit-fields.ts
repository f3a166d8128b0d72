import { type Quota, type WindowUnit, windowsOf } from './quota.ts';
import type { CallVerdict } from './request-limiter.ts';

/** The largest integer of structured fields (RFC 9651, 3.3.1). */
const maxInteger = 999_999_999_999_999;

const secondsOf: Readonly<Record<WindowUnit, number>> = { minute: 60, day: 86_400 };

/**
 * `RateLimit-Policy` and `RateLimit` as in draft-ietf-httpapi-ratelimit-headers-11: lists of
 * windows. A policy allows `q` requests in `w` seconds. Of these, `r` remain, and all are available
 * again in `t` seconds. Without a verdict the rest is unknown, and `RateLimit` is absent.
 */
export function rateLimitFields(
  quotas: readonly Quota[],
  verdict: CallVerdict | null,
): Readonly<Record<string, string>> {
  const policies = quotas
    .flatMap(windowsOf)
    .map(({ name, unit, limit }) => `"${name}";q=${integer(limit)};w=${secondsOf[unit]}`);
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
