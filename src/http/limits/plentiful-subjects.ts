import type { Limits, Verdict, WindowState } from './request-limiter.ts';

/** A call that is let through before it is counted is counted after so long. */
export const countedWithinMs = 20;

/** More calls of one subject than all processes together serve in a millisecond. */
const mostCallsPerMs = 50;

/** Of what is left, a process takes no more before it is counted. */
const share = 1 / 16;

const maxSubjects = 10_000;
const keptMs = 1_000;

interface Known {
  readonly limits: Limits;
  readonly windows: readonly WindowState[];
  /** `performance.now()` before the database looked. */
  readonly at: number;
  /** Calls of this process that `windows` does not know of. */
  uncounted: number;
}

/**
 * Who had so much left a moment ago that nobody can have used it up since, even if all processes did
 * nothing else: its calls need not wait to be counted. Of anybody with 1,000 left or fewer each call is
 * counted before it is let through. Where counting takes too long all the same, limits are exceeded by
 * no more than each process's share.
 */
export class PlentifulSubjects {
  readonly #known = new Map<string, Known>();

  /** What a statement sent at `at` found, and how many calls of this process it did not count. */
  remember(
    subject: string,
    limits: Limits,
    windows: readonly WindowState[],
    { at, uncounted }: { readonly at: number; readonly uncounted: number },
  ): void {
    this.#known.delete(subject);
    const known = { limits, windows, at, uncounted };
    if (!isPlenty(known, performance.now())) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= maxSubjects && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(subject, known);
  }

  /** Lets a call through that is still to be counted; null if it must be counted before. */
  spend(subject: string, limits: Limits): Verdict | null {
    const known = this.#known.get(subject);
    if (known === undefined) return null;
    const now = performance.now();
    const { perMinute, perDay } = known.limits;
    if (perMinute !== limits.perMinute || perDay !== limits.perDay || !isPlenty(known, now)) {
      this.#known.delete(subject);
      return null;
    }
    known.uncounted += 1;
    const windows = known.windows.map((window) => ({
      ...window,
      remaining: window.remaining - known.uncounted,
      leftMs: window.leftMs - (now - known.at),
    }));
    return { allowed: true, windows };
  }

  /** Nothing is known any more: the database does not answer. */
  clear(): void {
    this.#known.clear();
  }
}

function isPlenty({ windows, at, uncounted }: Known, now: number): boolean {
  const ageMs = now - at;
  const usedMeanwhile = mostCallsPerMs * (ageMs + countedWithinMs);
  return (
    ageMs < keptMs &&
    windows.every(({ leftMs, remaining }) => {
      const isWithinShare = uncounted < remaining * share;
      return leftMs > ageMs && isWithinShare && remaining - uncounted > usedMeanwhile;
    })
  );
}
