/** Remaining requests of one limit, as of a moment on the clock of `performance.now()`. */
interface Remaining {
  left: number;
  readonly resetAtMs: number;
}

/**
 * Remembers the limits that answers state in `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-11), so that a call waits before it would be refused.
 */
export class RateLimits {
  readonly #limits = new Map<string, Remaining>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Reads the header of an answer; null if it has none. */
  note(header: string | null): void {
    for (const [, name = '', parameters = ''] of (header ?? '').matchAll(limitForm)) {
      const left = Number(/;\s*r=(\d+)/.exec(parameters)?.[1]);
      const seconds = Number(/;\s*t=(\d+)/.exec(parameters)?.[1]);
      if (Number.isNaN(left) || Number.isNaN(seconds)) continue;
      this.#limits.set(name, { left, resetAtMs: this.#now() + 1_000 * seconds });
    }
  }

  /**
   * Milliseconds until one more request is allowed, and counts it. With `items`, until a batch of one
   * item is.
   */
  take(kind: 'request' | 'items' = 'request'): number {
    let waitMs = 0;
    for (const [name, limit] of this.#limits) {
      if (this.#now() >= limit.resetAtMs) {
        this.#limits.delete(name);
        continue;
      }
      if (isOfItems(name) && kind === 'request') continue;
      if (limit.left < 1) waitMs = Math.max(waitMs, limit.resetAtMs - this.#now());
      else if (!isOfItems(name)) limit.left -= 1;
    }
    return waitMs;
  }

  /** Largest batch that is allowed now; Infinity if no answer has stated a limit of items. */
  items(): number {
    const left = [...this.#limits].flatMap(([name, limit]) =>
      isOfItems(name) && this.#now() < limit.resetAtMs ? [limit.left] : [],
    );
    return Math.min(...left);
  }
}

const limitForm = /"([^"]+)"((?:\s*;\s*[a-z]+=[^;,\s]+)*)/g;

function isOfItems(name: string): boolean {
  return name === 'items' || name === 'organisation-items';
}
