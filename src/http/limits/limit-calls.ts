import type { KeyAccess } from '../../../projections/access/query.ts';
import type { AddressReader } from '../client-address.ts';
import type { Context } from '../request-state.ts';
import { subjectOfKey } from './count-calls.ts';
import { RateLimitExceeded } from './rate-limit-exceeded.ts';
import { rateLimitFields } from './rate-limit-fields.ts';
import {
  type Limits,
  type RequestLimiter,
  retryAfterSeconds,
  type Verdict,
} from './request-limiter.ts';

/** How calls are limited. */
export interface CallLimits {
  readonly limiter: RequestLimiter;
  /** Whose call it is where there is no key to say so. */
  readonly addressOf: AddressReader;
  readonly addressRequestsPerMinute: number;
}

/** Counts the call of a key, and says in the answer what is left. Throws `RateLimitExceeded`. */
export async function limitKey(ctx: Context, deps: CallLimits, caller: KeyAccess): Promise<void> {
  const limits = limitsOf(caller);
  const verdict = await deps.limiter.take(subjectOfKey(caller.keyId), limits);
  announce(ctx, limits, verdict);
}

/** Says in the answer what is left of the key's limits: a call that is not permitted does not count. */
export async function showLimits(ctx: Context, deps: CallLimits, caller: KeyAccess): Promise<void> {
  const limits = limitsOf(caller);
  const verdict = await deps.limiter.look(subjectOfKey(caller.keyId), limits);
  ctx.set(rateLimitFields(limits, verdict));
}

/** Counts the call of an address, to what is open to anybody or without a valid key. Throws the same. */
export async function limitAddress(
  ctx: Context,
  deps: CallLimits,
  kind: 'open' | 'failed',
): Promise<void> {
  const limits = { perMinute: deps.addressRequestsPerMinute, perDay: null };
  const verdict = await deps.limiter.take(`${kind} ${deps.addressOf(ctx.req)}`, limits);
  announce(ctx, limits, verdict);
}

function limitsOf({ requestsPerMinute, requestsPerDay }: KeyAccess): Limits {
  return { perMinute: requestsPerMinute, perDay: requestsPerDay };
}

function announce(ctx: Context, limits: Limits, verdict: Verdict | null): void {
  ctx.set(rateLimitFields(limits, verdict));
  if (verdict?.allowed === false) throw new RateLimitExceeded(retryAfterSeconds(verdict));
}
