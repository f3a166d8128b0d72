import { FairLine } from '../domain/fair-line.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import { StorageUnavailable } from './storage-unavailable.ts';

/**
 * Limits concurrent operations. The others wait in line, and organisations take turns. A waiting
 * operation is refused when none has succeeded for `stallMs`.
 */
export class Slots {
  #free: number;
  readonly #stallMs: number;
  readonly #line = new FairLine<() => void>();
  /** Time of the last success, by `performance.now()`. */
  #movedAt = -Infinity;

  constructor(count: number, stallMs: number) {
    this.#free = count;
    this.#stallMs = stallMs;
  }

  /** Rejects with `StorageUnavailable` when the line stalls. */
  async run<Value>(organisationId: OrganisationId, effect: () => Promise<Value>): Promise<Value> {
    await this.#turn(organisationId);
    try {
      const value = await effect();
      this.#movedAt = performance.now();
      return value;
    } finally {
      this.#pass();
    }
  }

  #turn(organisationId: OrganisationId): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const joinedAt = performance.now();
      let timer: NodeJS.Timeout;
      const take = () => {
        clearTimeout(timer);
        resolve();
      };
      const look = () => {
        const stoodMs = performance.now() - Math.max(joinedAt, this.#movedAt);
        if (stoodMs < this.#stallMs) {
          timer = setTimeout(look, this.#stallMs - stoodMs);
          return;
        }
        this.#line.leave(organisationId, take);
        reject(new StorageUnavailable('the storage accepts no upload at present'));
      };
      timer = setTimeout(look, this.#stallMs);
      this.#line.join(organisationId, take);
    });
  }

  #pass(): void {
    const next = this.#line.next();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
