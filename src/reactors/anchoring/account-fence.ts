import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';

/**
 * The version of one account's stream that the next append expects. It is used only by who has
 * folded everything up to it: then nothing that it appends was appended by somebody else already.
 */
export class AccountFence {
  readonly stream: string;
  #version: number | null = null;
  /** What was on record when the version was read must be folded before it is used. */
  #asOf = 0;

  constructor(ledgerId: string, address: string) {
    this.stream = streams.account(ledgerId, address);
  }

  /** Reads the version if it is not known. */
  async read(store: Pick<EventStore, 'versionOf' | 'head'>): Promise<void> {
    if (this.#version !== null) return;
    const version = await store.versionOf(this.stream);
    this.#asOf = await store.head();
    this.#version = version;
  }

  /** The version, the log being folded up to `position`; null if it is not known or not folded. */
  versionAt(position: number): number | null {
    return position >= this.#asOf ? this.#version : null;
  }

  /** Events were appended at this version by who holds the account. */
  appended(count: number): void {
    if (this.#version !== null) this.#version += count;
  }

  forget(): void {
    this.#version = null;
  }
}
