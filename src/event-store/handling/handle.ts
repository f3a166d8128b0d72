import type { OwnedDecider } from '../../domain/decider.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { EventStore } from '../event-store.ts';
import type { EventMeta } from '../stored-event.ts';
import { load } from './load.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** The state on which a command was decided, and the appended events: none for no change. */
export interface Handled<State, Event> {
  readonly state: State;
  readonly appended: readonly Event[];
}

/**
 * Handles a command on one stream: loads its state, decides, and appends the decided events.
 * Retries while others append to the stream, so `command` may run several times. Rejects with the
 * errors of `command` and of `EventStore.append`.
 */
export async function handle<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream' | 'append'>,
  stream: StreamName<Event>,
  decider: OwnedDecider<State, Event>,
  command: (state: State) => readonly Event[],
  meta: EventMeta,
): Promise<Handled<State, Event>> {
  return retryOnConflict(async () => {
    const { state, version: expectedVersion } = await load(store, stream, decider);
    const events = command(state);
    if (events.length > 0) {
      const organisationId = decider.ownerOf(state, events);
      await store.append([{ organisationId, stream, expectedVersion, events }], meta);
    }
    return { state, appended: events };
  });
}
