import type { KeyAccess } from '../../../projections/access/query.ts';
import { totalItemsPerDay } from '../../domain/organisation/organisation-limits.ts';
import type { Context } from '../request-state.ts';
import type { AddressReader } from './client-address.ts';
import {
  subjectOfKey,
  subjectOfKeyItems,
  subjectOfOrganisation,
  subjectOfOrganisationItems,
  subjectOfPerson,
} from './count-calls.ts';
import { noLimit, type Quota } from './quota.ts';
import { RateLimitExceeded } from './rate-limit-exceeded.ts';
import { rateLimitFields } from './rate-limit-fields.ts';
import {
  type CallVerdict,
  type RequestLimiter,
  retryAfterSeconds,
  type Weight,
} from './request-limiter.ts';

/** Dependencies of limiting calls. */
export interface CallLimits {
  readonly limiter: RequestLimiter;
  /** Reads the address by which calls without a valid key are counted. */
  readonly addressOf: AddressReader;
  readonly addressRequestsPerMinute: number;
  /** Items of batches that a key may post in a day. */
  readonly itemsPerDay: number;
}

/**
 * Counts the call of a key against its own limits and its organisation's, and sets the response
 * headers. Throws `RateLimitExceeded`.
 */
export async function limitKey(
  ctx: Context,
  deps: CallLimits,
  caller: KeyAccess,
  weight?: Weight,
): Promise<void> {
  const quotas = quotasOf(caller);
  announce(ctx, quotas, await deps.limiter.take(quotas, weight));
}

/** Gives back so many items of a batch that were counted. */
export type GiveBackItems = (unused: number) => Promise<void>;

/**
 * Counts the items of a batch against the limits of the key and of its organisation, all of them or
 * none. Adds these limits to the response headers. Throws `RateLimitExceeded`. Call the result with
 * the number of items that are not to count after all; it never rejects.
 */
export async function limitItems(
  ctx: Context,
  deps: Pick<CallLimits, 'limiter' | 'itemsPerDay'>,
  { keyId, organisationId }: Pick<KeyAccess, 'keyId' | 'organisationId'>,
  items: number,
): Promise<GiveBackItems> {
  const quotaOf = (subject: string, of: Quota['of'], perDay: number): Quota => {
    return { subject, limits: { perMinute: noLimit, perDay }, of, counts: 'items' };
  };
  const quotas = [
    quotaOf(subjectOfKeyItems(keyId), 'caller', deps.itemsPerDay),
    quotaOf(
      subjectOfOrganisationItems(organisationId),
      'organisation',
      totalItemsPerDay(deps.itemsPerDay),
    ),
  ];
  const before = { ...ctx.response.headers };
  const add = (state: CallVerdict | null) => {
    for (const [name, value] of Object.entries(rateLimitFields(quotas, state))) {
      const others = before[name.toLowerCase()];
      ctx.set(name, others === undefined ? value : `${others}, ${value}`);
    }
  };
  const verdict = await deps.limiter.take(quotas, { cost: items });
  add(verdict);
  requireAllowed(verdict);
  return async (unused) => {
    if (verdict === null || unused === 0) return;
    const part = { cost: items, paid: items - unused };
    const left = await deps.limiter.giveBack(quotas, verdict, part);
    if (left !== null) add(left);
  };
}

/** Sets the response headers without counting: a call that is not permitted does not count. */
export async function showLimits(ctx: Context, deps: CallLimits, caller: KeyAccess): Promise<void> {
  const quotas = quotasOf(caller);
  ctx.set(rateLimitFields(quotas, await deps.limiter.look(quotas)));
}

/**
 * Counts a call by address: `open` to a route without a key, `failed` without a valid key. Sets the
 * response headers. Throws `RateLimitExceeded`.
 */
export async function limitAddress(
  ctx: Context,
  deps: CallLimits,
  kind: 'open' | 'failed',
  weight?: Weight,
): Promise<void> {
  const limits = { perMinute: deps.addressRequestsPerMinute, perDay: null };
  const subject = `${kind} ${deps.addressOf(ctx.req)}`;
  const quotas: readonly Quota[] = [{ subject, limits, of: 'caller' }];
  announce(ctx, quotas, await deps.limiter.take(quotas, weight));
}

/** Counts a call of a person in the console. Throws `RateLimitExceeded`. */
export async function limitPerson(
  ctx: Context,
  deps: Pick<CallLimits, 'limiter'>,
  personId: string,
  weight?: Weight,
): Promise<void> {
  const limits = { perMinute: personRequestsPerMinute, perDay: null };
  const quotas: readonly Quota[] = [{ subject: subjectOfPerson(personId), limits, of: 'caller' }];
  announce(ctx, quotas, await deps.limiter.take(quotas, weight));
}

const personRequestsPerMinute = 300;

function quotasOf(caller: KeyAccess): readonly Quota[] {
  const { keyId, organisationId, requestsPerMinute, requestsPerDay, organisation } = caller;
  const { totalRequestsPerMinute, totalRequestsPerDay } = organisation;
  return [
    {
      subject: subjectOfKey(keyId),
      limits: { perMinute: requestsPerMinute, perDay: requestsPerDay },
      of: 'caller',
    },
    {
      subject: subjectOfOrganisation(organisationId),
      limits: { perMinute: totalRequestsPerMinute, perDay: totalRequestsPerDay },
      of: 'organisation',
    },
  ];
}

function announce(ctx: Context, quotas: readonly Quota[], verdict: CallVerdict | null): void {
  ctx.set(rateLimitFields(quotas, verdict));
  requireAllowed(verdict);
}

function requireAllowed(verdict: CallVerdict | null): void {
  if (verdict?.allowed === false) throw new RateLimitExceeded(retryAfterSeconds(verdict));
}
