import type { OwnedDecider } from '../../domain/decider.ts';
import type { DomainEvent } from '../../domain/events.ts';
import type { StreamName } from '../../domain/stream-name.ts';
import type { Appended, EventStore, StreamAppend } from '../event-store.ts';
import type { EventMeta } from '../stored-event.ts';
import { VersionConflict } from '../version-conflict.ts';
import { load } from './load.ts';

/** The state on which a command was decided, and the appended events: none for no change. */
interface Handled<State, Event> {
  readonly state: State;
  readonly appended: readonly Event[];
  /** Version of the stream after the appended events. */
  readonly version: number;
}

/** Somebody appended to the stream after the caller had read it. Nothing was appended by the caller. */
export class ChangedMeanwhile extends Error {
  constructor(stream: string, options?: ErrorOptions) {
    super(`${stream} has changed since it was read`, options);
    this.name = 'ChangedMeanwhile';
  }
}

/**
 * Handles a command on one stream: loads its state, decides, and appends the decided events.
 * Retries while others append to the stream, so `command` may run several times. Rejects with the
 * errors of `command` and of `EventStore.append`.
 *
 * `seen`: version of the stream on which the caller decided. With it there is no retry: rejects with
 * `ChangedMeanwhile` if the stream has another version.
 */
export async function handle<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream' | 'append'>,
  stream: StreamName<Event>,
  decider: OwnedDecider<State, Event>,
  command: (state: State) => readonly Event[],
  meta: EventMeta,
  seen: number | null = null,
): Promise<Handled<State, Event>> {
  const attempt = async () => {
    const { state, version: expectedVersion } = await load(store, stream, decider);
    // Decided first, so that a stream that the caller may not change is refused as such.
    const events = command(state);
    if (seen !== null && expectedVersion !== seen) throw new ChangedMeanwhile(stream);
    if (events.length > 0) {
      const organisationId = decider.ownerOf(state, events);
      await store.append([{ organisationId, stream, expectedVersion, events }], meta);
    }
    return { state, appended: events, version: expectedVersion + events.length };
  };
  if (seen === null) return retryOnConflict(attempt);
  return attempt().catch((error: unknown) => {
    throw error instanceof VersionConflict ? new ChangedMeanwhile(stream, { cause: error }) : error;
  });
}

/** Entries that are appended together: none for no change. */
interface Decided {
  readonly entries: readonly StreamAppend[];
}

/**
 * As `handle`, for a command on several streams, or on states that are loaded in another way.
 * `decide` loads and decides, and may run several times. Its entries are appended all or nothing.
 */
export async function handleStreams<Decision extends Decided>(
  store: Pick<EventStore, 'append'>,
  decide: () => Promise<Decision>,
  meta: EventMeta,
): Promise<Decision & { readonly appended: Appended | null }> {
  return retryOnConflict(async () => {
    const decision = await decide();
    const { entries } = decision;
    const appended = entries.length === 0 ? null : await store.append(entries, meta);
    return { ...decision, appended };
  });
}

const maxAttempts = 200;

/**
 * Runs "load, decide, append" again while others append to the same streams. One caller succeeds in
 * each round. So with fewer callers on one stream than `maxAttempts`, all of them succeed.
 */
export async function retryOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof VersionConflict) || attempts === maxAttempts) throw error;
    }
  }
}
