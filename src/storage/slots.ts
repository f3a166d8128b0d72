import { StorageUnavailable } from './storage-unavailable.ts';

/** Lets only so many at once do something; the others wait in line, and not for ever. */
export class Slots {
  #free: number;
  readonly #waitMs: number;
  readonly #line = new Set<() => void>();

  constructor(count: number, waitMs: number) {
    this.#free = count;
    this.#waitMs = waitMs;
  }

  /** Rejects with `StorageUnavailable` when its turn does not come in time. */
  async run<Value>(effect: () => Promise<Value>): Promise<Value> {
    await this.#turn();
    try {
      return await effect();
    } finally {
      this.#pass();
    }
  }

  #turn(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#line.delete(take);
        reject(new StorageUnavailable('too many uploads wait for the storage'));
      }, this.#waitMs);
      this.#line.add(take);
    });
  }

  /** The slot goes to the one who waits longest. */
  #pass(): void {
    const [next] = this.#line;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#line.delete(next);
    next();
  }
}
