import type { RequestLimits } from '../../domain/organisation/plan.ts';

/**
 * Counts calls against limits that all processes share.
 *
 * A call that is refused counts nowhere, and succeeds after `retryAfterSeconds` if nobody else has
 * taken its place. Null: it cannot be found out now; the call is to be let through. Never rejects,
 * and answers within a bounded time whatever becomes of the database.
 */
export interface RequestLimiter {
  /** Counts one call of the subject, if its limits allow it. */
  take(subject: string, limits: Limits): Promise<Verdict | null>;
  /** The same without counting anything: `allowed` is whether a call would be. */
  look(subject: string, limits: Limits): Promise<Verdict | null>;
}

/** `perDay` is null where there is no limit of the day. */
export interface Limits extends Omit<RequestLimits, 'perDay'> {
  readonly perDay: number | null;
}

export interface Verdict {
  readonly allowed: boolean;
  /** How things stand after the call. */
  readonly windows: readonly WindowState[];
}

/** One limit of a subject and what is left of it. Its time began with the first call counted. */
export interface WindowState {
  readonly name: 'minute' | 'day';
  readonly limit: number;
  readonly remaining: number;
  /** Until all of it is there again. */
  readonly leftMs: number;
}

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** Whole seconds after which a refused call succeeds: as long as the longest window that refuses. */
export function retryAfterSeconds({ windows }: Verdict): number {
  const refusing = windows.filter(({ remaining }) => remaining <= 0);
  return Math.max(1, ...refusing.map(({ leftMs }) => Math.ceil(leftMs / 1_000)));
}
