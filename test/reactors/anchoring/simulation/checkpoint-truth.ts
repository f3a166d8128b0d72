import { accountEvents } from '../../../../src/domain/account/events.ts';
import { checkpointEvents } from '../../../../src/domain/log/checkpoint-events.ts';
import type { StoredEvent } from '../../../../src/event-store/stored-event.ts';
import { checkpointAccount } from './simulated-accounts.ts';

/** Checks each event against the rules for checkpoints of the log. */
export class CheckpointTruth {
  /** Names of all requested checkpoints, one for each size. */
  readonly names = new Set<string>();
  #open = false;
  #requested = 0;
  #anchored = 0;
  #news = 0;

  /** Name of the newest requested checkpoint. */
  get current(): string {
    return nameOf(this.#requested);
  }

  /** True if everything that happened is anchored. */
  get isSettled(): boolean {
    return !this.#open && this.#anchored >= this.#news;
  }

  /** The violation by an event, or null. */
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
