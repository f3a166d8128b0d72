import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';

/**
 * Fencing token of an account: the version of its stream that the next append expects. A process
 * uses the version only after it has folded all events up to it. An append that succeeds then
 * repeats nothing that another process has appended.
 */
export class AccountFence {
  readonly stream: string;
  #version: number | null = null;
  /** Head of the log when the version was read. The version is valid after folding up to it. */
  #asOf = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ledgerId: string, address: string) {
    this.stream = streams.account(ledgerId, address);
  }

  /** Reads the version unless it is known. */
  async read(store: Pick<EventStore, 'versionOf' | 'head'>): Promise<void> {
    if (this.#version !== null) return;
    const version = await store.versionOf(this.stream);
    this.#asOf = await store.head();
    this.#version = version;
  }

  /**
   * Returns the version if the log is folded far enough at `position`; null if it is not, or if the
   * version is unknown.
   */
  versionAt(position: number): number | null {
    return position >= this.#asOf ? this.#version : null;
  }

  /** Advances the version after this process has appended events. */
  appended(count: number): void {
    if (this.#version !== null) this.#version += count;
  }

  forget(): void {
    this.#version = null;
  }

  /** Runs work that appends to the stream, one piece after the other. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}
