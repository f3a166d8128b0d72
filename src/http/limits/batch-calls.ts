import { areSameLimits, noLimit, type Quota, type WindowUnit } from './quota.ts';
import { type CallVerdict, chargeOf, type Weight } from './request-limiter.ts';

/** A call that waits to be counted, or a read of the counts (`isLook`). */
export interface Waiting {
  /** At least one. */
  readonly quotas: readonly Quota[];
  readonly weight: Weight;
  readonly isLook: boolean;
  readonly resolve: (verdict: CallVerdict | null) => void;
}

/** Numbers of requests, by window. */
export type Amounts = Readonly<Record<WindowUnit, number>>;

/** A subject to which a batch charges calls. */
export interface Charged {
  readonly quota: Quota;
  /** Index among the subjects of the batch. */
  readonly number: number;
  /** Charges of all calls of the batch. */
  sum: Amounts;
}

/** Charge of a call to one of its subjects. */
interface Charge {
  readonly to: Charged;
  readonly amounts: Amounts;
}

interface BatchedCall {
  readonly waiting: Waiting;
  readonly charges: readonly Charge[];
}

/** Calls that one statement counts, with their subjects. */
export interface Batch {
  readonly subjects: readonly Charged[];
  /** In order of arrival. */
  readonly calls: readonly BatchedCall[];
}

const maxCalls = 500;

/**
 * Splits `queue` into the batch of the next statement and the rest. A call with other limits for a
 * subject of the batch waits for the next batch.
 */
export function takeBatch(queue: readonly Waiting[]): {
  readonly batch: Batch;
  readonly rest: Waiting[];
} {
  const subjects = new Map<string, Charged>();
  const calls: BatchedCall[] = [];
  const rest: Waiting[] = [];
  for (const waiting of queue) {
    const isCountable = waiting.quotas.every(({ subject, limits }) => {
      const known = subjects.get(subject);
      return known === undefined || areSameLimits(known.quota.limits, limits);
    });
    if (!isCountable || calls.length === maxCalls) rest.push(waiting);
    else
      calls.push({ waiting, charges: waiting.quotas.map((to) => charge(to, waiting, subjects)) });
  }
  return { batch: { subjects: [...subjects.values()], calls }, rest };
}

function charge(quota: Quota, { weight, isLook }: Waiting, subjects: Map<string, Charged>): Charge {
  const known = subjects.get(quota.subject);
  const to = known ?? { quota, number: subjects.size, sum: noAmounts };
  if (known === undefined) subjects.set(quota.subject, to);
  const { perMinute, perDay } = quota.limits;
  const minute = chargeOf(weight, perMinute);
  const day = chargeOf(weight, perDay ?? noLimit);
  const amounts = isLook ? noAmounts : { minute, day };
  to.sum = sumOf(to.sum, amounts);
  return { to, amounts };
}

export const noAmounts: Amounts = { minute: 0, day: 0 };

export function sumOf(one: Amounts, other: Amounts): Amounts {
  return { minute: one.minute + other.minute, day: one.day + other.day };
}
