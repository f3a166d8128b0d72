import type { OwnedDecider } from '../../domain/decider.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { EventStore } from '../event-store.ts';
import type { EventMeta } from '../stored-event.ts';
import { VersionConflict } from '../version-conflict.ts';
import { load } from './load.ts';

/** Somebody appended to the stream after the caller had read it. Nothing was appended by the caller. */
export class ChangedMeanwhile extends Error {
  constructor(stream: string, options?: ErrorOptions) {
    super(`${stream} has changed since it was read`, options);
    this.name = 'ChangedMeanwhile';
  }
}

/**
 * Handles a command of somebody who decided it on the stream at version `seen`. Rejects with
 * `ChangedMeanwhile` if the stream has another version, and with the errors of `command` and of
 * `EventStore.append`.
 */
export async function handleSeen<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream' | 'append'>,
  stream: StreamName<Event>,
  seen: number,
  decider: OwnedDecider<State, Event>,
  command: (state: State) => readonly Event[],
  meta: EventMeta,
): Promise<void> {
  const { state, version: expectedVersion } = await load(store, stream, decider);
  // Decided first, so that a stream that the caller may not change is refused as such.
  const events = command(state);
  if (expectedVersion !== seen) throw new ChangedMeanwhile(stream);
  if (events.length === 0) return;
  const organisationId = decider.ownerOf(state, events);
  try {
    await store.append([{ organisationId, stream, expectedVersion, events }], meta);
  } catch (error) {
    if (error instanceof VersionConflict) throw new ChangedMeanwhile(stream, { cause: error });
    throw error;
  }
}
