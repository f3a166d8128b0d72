import type { RequestLimits } from '../../domain/organisation/plan.ts';

/** Limits of requests; `perDay` is null if the day has no limit. */
export interface Limits extends Omit<RequestLimits, 'perDay'> {
  readonly perDay: number | null;
}

/** A subject to which calls are charged, with its limits. A call may be charged to several. */
export interface Quota {
  readonly subject: string;
  readonly limits: Limits;
  /** `organisation` for a subject to which the calls of all keys of an organisation are charged. */
  readonly of: 'caller' | 'organisation';
  /** Absent: requests. Items of batches have a limit for the day only. */
  readonly counts?: 'items';
}

/** A window of time with its limit; the window begins with the first call counted. */
export interface Window {
  readonly name: `${'' | 'organisation-'}${WindowUnit | 'items'}`;
  readonly unit: WindowUnit;
  readonly limit: number;
}

export type WindowUnit = 'minute' | 'day';

/** Represents no limit, since nobody makes so many requests. */
export const noLimit = 1e15;

/** The windows of a quota: the minute, and the day if it has a limit; of items only the day. */
export function windowsOf({ limits, of, counts }: Quota): readonly Window[] {
  const { perMinute, perDay } = limits;
  const prefix = of === 'organisation' ? 'organisation-' : '';
  if (counts === 'items') {
    return perDay === null ? [] : [{ name: `${prefix}items`, unit: 'day', limit: perDay }];
  }
  const minute: Window = { name: `${prefix}minute`, unit: 'minute', limit: perMinute };
  if (perDay === null) return [minute];
  return [minute, { name: `${prefix}day`, unit: 'day', limit: perDay }];
}

/** True for the same subjects under the same limits. */
export function areSameQuotas(some: readonly Quota[], others: readonly Quota[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ subject, limits }, n) => {
      const other = others[n];
      return subject === other?.subject && areSameLimits(limits, other.limits);
    })
  );
}

export function areSameLimits(one: Limits, other: Limits): boolean {
  return one.perMinute === other.perMinute && one.perDay === other.perDay;
}
