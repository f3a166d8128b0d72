import { accountEvents } from '../../../../src/domain/account/events.ts';
import { checkpointEvents } from '../../../../src/domain/log/checkpoint-events.ts';
import type { StoredEvent } from '../../../../src/event-store/stored-event.ts';
import { checkpointAccount } from './simulated-accounts.ts';

/** What the log says of its checkpoints, as each event comes. */
export class CheckpointTruth {
  /** Names of all that were requested: by their size, of which there is one each. */
  readonly names = new Set<string>();
  #open = false;
  #requested = 0;
  #anchored = 0;
  #news = 0;

  /** Of the newest that was requested. */
  get current(): string {
    return nameOf(this.#requested);
  }

  /** Whether all that happened is anchored. */
  get isSettled(): boolean {
    return !this.#open && this.#anchored >= this.#news;
  }

  /** What is wrong with it, in words; null if nothing is. */
  appended(event: StoredEvent): string | null {
    const { position } = event;
    if (!isOwn(event)) this.#news = position;
    switch (event.type) {
      case 'CheckpointRequested': {
        const { size } = event.data;
        const isNews = size > this.#anchored && this.#news > this.#anchored;
        const isNew = isNews && !this.#open && size < position && size > this.#requested;
        this.#open = true;
        this.#requested = size;
        this.names.add(this.current);
        return isNew ? null : `a checkpoint of ${size} is requested at ${position} for nothing new`;
      }
      case 'CheckpointAnchored':
        this.#open = false;
        this.#anchored = event.data.size;
        return event.data.size === this.#requested ? null : `${this.current} was requested`;
      case 'CheckpointRefused':
        this.#open = false;
        return null;
      default:
        return null;
    }
  }
}

function nameOf(size: number): string {
  return `the checkpoint of ${size}`;
}

function isOwn({ type, stream }: StoredEvent): boolean {
  return (
    type in checkpointEvents ||
    (type in accountEvents && stream.endsWith(checkpointAccount.address))
  );
}
