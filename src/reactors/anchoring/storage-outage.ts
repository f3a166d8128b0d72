import { StorageFull } from '../../storage/storage-full.ts';
import { StorageUnavailable } from '../../storage/storage-unavailable.ts';

/** The log could not be compared with the published one: the storage does not answer. */
export class NotCompared extends Error {
  constructor(cause: StorageUnavailable) {
    super('the log cannot be compared with its published checkpoint: nothing is submitted', {
      cause,
    });
    this.name = 'NotCompared';
  }
}

/** Reasons for a pause while the storage cannot be used. */
export type StoragePause = 'notCompared' | 'storageFull' | 'storageAway';

/** Reason for a pause after an error of the storage; null for other errors. */
export function storagePause(error: unknown): StoragePause | null {
  if (error instanceof NotCompared) return 'notCompared';
  if (error instanceof StorageFull) return 'storageFull';
  return error instanceof StorageUnavailable ? 'storageAway' : null;
}

/** A failure after this time without one begins another outage. */
const sameMs = 60_000;

/**
 * Outages of the storage, each told once when it begins, and once when it ends. Turns without work
 * succeed during an outage, so only a use of the storage ends it.
 */
export class StorageOutages {
  readonly #failedAtMs = new Map<StoragePause, number>();
  readonly #onEnded: (pause: StoragePause) => void;
  readonly #now: () => number;

  constructor(onEnded: (pause: StoragePause) => void, now = () => performance.now()) {
    this.#onEnded = onEnded;
    this.#now = now;
  }

  /** Notes a failure; true if an outage begins with it. */
  fails(pause: StoragePause): boolean {
    const before = this.#failedAtMs.get(pause) ?? Number.NEGATIVE_INFINITY;
    this.#failedAtMs.set(pause, this.#now());
    return this.#now() - before > sameMs;
  }

  /** The comparison as given; rejects with `NotCompared` while the storage does not answer. */
  comparing(compare: () => Promise<void>): () => Promise<void> {
    return async () => {
      try {
        await compare();
      } catch (error) {
        throw error instanceof StorageUnavailable ? new NotCompared(error) : error;
      }
      this.#end('notCompared');
    };
  }

  /** The writing of submission marks as given. */
  covering(cover: (lastLedger: number) => Promise<void>): typeof cover {
    return async (lastLedger) => {
      await cover(lastLedger);
      this.#end('storageFull');
      this.#end('storageAway');
    };
  }

  #end(pause: StoragePause): void {
    if (this.#failedAtMs.delete(pause)) this.#onEnded(pause);
  }
}
