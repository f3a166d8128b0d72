import type { Logger } from 'pino';
import { loggable } from '../../errors/loggable.ts';

/** Logs that limits are not enforced, at most once per interval, and the end of that state. */
export class LimiterTrouble {
  readonly #log: Logger;
  readonly #everyMs: number;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #accepted = 0;
  #isOngoing = false;

  constructor(log: Logger, everyMs: number) {
    this.#log = log;
    this.#everyMs = everyMs;
  }

  get isOngoing(): boolean {
    return this.#isOngoing;
  }

  /** Limits could not be read; so many calls are accepted without limits. */
  failed(error: unknown, calls: number): void {
    this.#isOngoing = true;
    this.#accepted += calls;
    const now = performance.now();
    if (now - this.#loggedAt < this.#everyMs) return;
    this.#loggedAt = now;
    this.#log.warn(
      { err: loggable(error), passed: this.#accepted },
      'request limits cannot be read; calls are accepted without limits until the limits can be read again',
    );
  }

  /** One more call is accepted without limits. */
  accepted(): void {
    this.#accepted += 1;
  }

  /** Limits were read. */
  ended(): void {
    if (!this.#isOngoing) return;
    this.#isOngoing = false;
    const passed = this.#accepted;
    this.#accepted = 0;
    this.#log.info({ passed }, 'request limits are enforced again');
  }
}
