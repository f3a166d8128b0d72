import type { CallsOfSubject, Counted } from './count-calls.ts';
import type { Limits, Verdict } from './request-limiter.ts';

/** A call that waits to be counted, or a look, which counts nothing. */
export interface Waiting {
  readonly subject: string;
  readonly limits: Limits;
  readonly calls: 0 | 1;
  readonly resolve: (verdict: Verdict | null) => void;
}

/** Calls that were let through before they were counted. */
export interface Owed {
  readonly limits: Limits;
  readonly calls: number;
}

/** What one statement counts. */
export interface Batch {
  readonly asked: readonly CallsOfSubject[];
  /** By subject, in the order in which they came. */
  readonly waiting: ReadonlyMap<string, readonly Waiting[]>;
}

const maxSubjects = 500;

/**
 * Takes what goes into the next statement out of `owed`, and leaves the others of `queue`. A subject
 * whose limits were changed meanwhile is counted by the new ones in the batch after it.
 */
export function takeBatch(
  queue: readonly Waiting[],
  owed: Map<string, Owed>,
): { readonly batch: Batch; readonly rest: Waiting[] } {
  const waiting = new Map<string, Waiting[]>();
  const rest: Waiting[] = [];
  for (const one of queue) {
    const group = waiting.get(one.subject);
    const [first] = group ?? [];
    if (first === undefined && waiting.size < maxSubjects) waiting.set(one.subject, [one]);
    else if (first !== undefined && isSame(first.limits, one.limits)) group?.push(one);
    else rest.push(one);
  }
  const asked = [...waiting].map(([subject, group]) => ({
    subject,
    limits: (group[0] as Waiting).limits,
    calls: group.reduce((sum, { calls }) => sum + calls, 0),
    owed: owed.get(subject)?.calls ?? 0,
  }));
  for (const { subject } of asked) owed.delete(subject);
  for (const [subject, { limits, calls }] of owed) {
    if (asked.length >= maxSubjects) break;
    asked.push({ subject, limits, calls: 0, owed: calls });
    owed.delete(subject);
  }
  return { batch: { asked, waiting }, rest };
}

function isSame(one: Limits, other: Limits): boolean {
  return one.perMinute === other.perMinute && one.perDay === other.perDay;
}

/** Who came first is let through first. */
export function verdictsOf(
  waiting: readonly Waiting[],
  counted: Counted,
): readonly (readonly [Waiting, Verdict])[] {
  let left = counted.granted;
  return waiting.map((one) => {
    const isLook = one.calls === 0;
    const open = counted.windows.every(({ remaining }) => left + remaining > 0);
    const allowed = isLook ? open : left > 0;
    if (!isLook && allowed) left -= 1;
    // Those after it have not counted yet.
    const windows = counted.windows.map((window) => ({
      ...window,
      remaining: window.remaining + left,
    }));
    return [one, { allowed, windows }];
  });
}
