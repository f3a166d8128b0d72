import type { Logger } from 'pino';
import { loggable } from '../../errors/loggable.ts';

/** Logs that limits are not enforced, at most once per interval, and the end of that state. */
export class LimiterTrouble {
  readonly #log: Logger;
  readonly #everyMs: number;
  #saidAt = Number.NEGATIVE_INFINITY;
  #passed = 0;
  lasts = false;

  constructor(log: Logger, everyMs: number) {
    this.#log = log;
    this.#everyMs = everyMs;
  }

  met(error: unknown, calls: number): void {
    this.lasts = true;
    this.#passed += calls;
    const now = performance.now();
    if (now - this.#saidAt < this.#everyMs) return;
    this.#saidAt = now;
    const passed = this.#passed;
    this.#log.warn(
      { err: loggable(error), passed },
      'request limits cannot be read; calls are accepted without limits until they can',
    );
  }

  passed(): void {
    this.#passed += 1;
  }

  over(): void {
    if (!this.lasts) return;
    this.lasts = false;
    const passed = this.#passed;
    this.#passed = 0;
    this.#log.info({ passed }, 'request limits are enforced again');
  }
}
