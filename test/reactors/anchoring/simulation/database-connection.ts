import type pg from 'pg';
import { StoreUnavailable } from '../../../../src/event-store/connection-loss.ts';
import type { Appended } from '../../../../src/event-store/event-store.ts';
import { HighWaterMark, type SeenEvent } from '../../../../src/event-store/high-water-mark.ts';
import { leafOf, type MemoryEventStore } from './memory-event-store.ts';

/**
 * The connections of one process to a database that may lose events. A loss ends them. A new one is
 * used only after the process' high-water mark was found in the database, as with the pool.
 */
export class DatabaseConnection {
  readonly #store: MemoryEventStore;
  readonly #highWater: HighWaterMark;
  readonly #onEnded: () => void;
  #generation: number;

  /** `onWentBack` ends the process. `onEnded` is called when a loss has ended the connections. */
  constructor(store: MemoryEventStore, onWentBack: () => void, onEnded: () => void = () => {}) {
    this.#store = store;
    this.#onEnded = onEnded;
    this.#highWater = new HighWaterMark({ onWentBack });
    this.#generation = store.generation;
  }

  /**
   * Returns the call for this connection, which fails if the database has lost events until then.
   * Rejects with `DatabaseWentBack`.
   */
  async open<Result>(call: () => Promise<Result>): Promise<() => Promise<Result>> {
    const { generation } = this.#store;
    if (generation !== this.#generation) {
      this.#onEnded();
      await this.#highWater.check(this.#client);
      this.#generation = generation;
    }
    this.#highWater.requireIntact();
    return async () => {
      if (this.#store.generation !== generation) throw new StoreUnavailable();
      const before = this.#highWater.position;
      const result = await call();
      this.#see(result, before);
      return result;
    };
  }

  #see(result: unknown, before: number): void {
    if (isAppended(result)) {
      const { firstPosition, lastPosition } = result;
      this.#highWater.seeAppended(before, firstPosition, this.#seen(lastPosition));
    } else {
      const newest = Math.max(0, ...eventsIn(result).map(({ position }) => position));
      if (newest > before) this.#highWater.see([this.#seen(newest)]);
    }
  }

  #seen(position: number): SeenEvent {
    return { position, leaf: this.#leafAt(position) ?? Buffer.alloc(32) };
  }

  #leafAt(position: number): Buffer | null {
    const event = this.#store.events[position - 1];
    return event === undefined ? null : leafOf(event);
  }

  /** Answers the one query of the high-water mark. */
  get #client(): Pick<pg.ClientBase, 'query'> {
    const query = async ({ values }: { readonly values: readonly number[] }) => {
      const [first, second] = values.map((position) => this.#leafAt(position));
      const head = this.#store.events.length;
      return { rows: [{ standby: false, first, second, head, newest: this.#leafAt(head) }] };
    };
    return { query } as unknown as Pick<pg.ClientBase, 'query'>;
  }
}

function isAppended(result: unknown): result is Appended {
  return typeof result === 'object' && result !== null && 'lastPosition' in result;
}

interface Positioned {
  readonly position: number;
}

/**
 * Events in the result of any read. A page shows the event at its end: like the tail of the log,
 * which reads every event, also of other types.
 */
function eventsIn(result: unknown): readonly Positioned[] {
  if (Array.isArray(result)) return result.filter((one) => 'position' in one);
  if (result instanceof Map) return [...result.values()].flat();
  if (typeof result !== 'object' || result === null) return [];
  return 'position' in result ? [result as Positioned] : [];
}
