import type { Limits, Verdict } from './request-limiter.ts';

const maxSubjects = 10_000;
const keptMs = 1_000;

interface Remembered {
  readonly limits: Limits;
  readonly verdict: Verdict;
  readonly until: number;
  readonly heardAt: number;
}

/**
 * Refusals are remembered for a second, so that a flood of calls that are refused anyway does not
 * become a flood of statements. It never says no for longer than the database would.
 */
export class RefusalMemory {
  readonly #refusals = new Map<string, Remembered>();

  /** `sentAt` (`performance.now()`) is before the database looked at its clock. */
  remember(subject: string, limits: Limits, verdict: Verdict, sentAt: number): void {
    const refusing = verdict.windows.filter(({ remaining }) => remaining <= 0);
    const until = sentAt + Math.min(keptMs, ...refusing.map(({ leftMs }) => leftMs));
    this.#refusals.delete(subject);
    const [oldest] = this.#refusals.keys();
    if (this.#refusals.size >= maxSubjects && oldest !== undefined) this.#refusals.delete(oldest);
    this.#refusals.set(subject, { limits, verdict, until, heardAt: performance.now() });
  }

  /** The refusal as it is now; null if the database must be asked. */
  find(subject: string, limits: Limits): Verdict | null {
    const found = this.#refusals.get(subject);
    if (found === undefined) return null;
    const now = performance.now();
    const { perMinute, perDay } = found.limits;
    if (now >= found.until || perMinute !== limits.perMinute || perDay !== limits.perDay) {
      this.#refusals.delete(subject);
      return null;
    }
    const sinceMs = now - found.heardAt;
    const windows = found.verdict.windows.map((window) => ({
      ...window,
      leftMs: window.leftMs - sinceMs,
    }));
    return { allowed: false, windows };
  }
}
