import { areSameQuotas, type Quota } from './quota.ts';
import type { CallVerdict } from './request-limiter.ts';

const maxRefusals = 10_000;
const keptMs = 1_000;

interface Remembered {
  readonly quotas: readonly Quota[];
  /** Cost of the refused call. Calls that cost as much or more are refused too. */
  readonly cost: number;
  readonly verdict: CallVerdict;
  readonly until: number;
  readonly rememberedAt: number;
}

/**
 * Remembers refusals for a second, so that a flood of refused calls does not become a flood of
 * statements. Never refuses for longer than the database would, except for that second after
 * something was given back: by another process, or by another caller with a shared quota.
 */
export class RefusalMemory {
  readonly #refusals = new Map<string, Remembered>();

  /** `sentAt` (`performance.now()`) must be before the database reads its clock. */
  remember(quotas: readonly Quota[], cost: number, verdict: CallVerdict, sentAt: number): void {
    const key = keyOf(quotas);
    const refusing = verdict.windows.filter(({ refuses }) => refuses);
    const until = sentAt + Math.min(keptMs, ...refusing.map(({ leftMs }) => leftMs));
    this.#refusals.delete(key);
    const [oldest] = this.#refusals.keys();
    if (this.#refusals.size >= maxRefusals && oldest !== undefined) this.#refusals.delete(oldest);
    this.#refusals.set(key, { quotas, cost, verdict, until, rememberedAt: performance.now() });
  }

  /** Current state of the refusal; null if the database must be asked. */
  find(quotas: readonly Quota[], cost: number): CallVerdict | null {
    const key = keyOf(quotas);
    const found = this.#refusals.get(key);
    if (found === undefined) return null;
    const now = performance.now();
    if (now >= found.until || !areSameQuotas(found.quotas, quotas)) {
      this.#refusals.delete(key);
      return null;
    }
    if (cost < found.cost) return null;
    const sinceMs = now - found.rememberedAt;
    const windows = found.verdict.windows.map((window) => ({
      ...window,
      leftMs: window.leftMs - sinceMs,
    }));
    return { allowed: false, windows };
  }

  /** Forgets the refusals of the caller, to whom something was given back. */
  forget(quotas: readonly Quota[]): void {
    this.#refusals.delete(keyOf(quotas));
  }
}

/** The first subject identifies the caller: its key or its address. */
function keyOf([first]: readonly Quota[]): string {
  return first?.subject ?? '';
}
