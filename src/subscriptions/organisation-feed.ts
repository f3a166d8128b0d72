import { Observable, retry, type Subscription, timer } from 'rxjs';
import type { DomainEvent } from '../domain/events.ts';
import type { DatedHeader, EventStore } from '../event-store/event-store.ts';
import type { LogSignal } from './log-signal.ts';
import type { LogTail } from './log-tail.ts';
import { pullOnHints } from './pull-loop.ts';
import type { StreamWatch } from './stream-watch.ts';

/** The header of an event: nothing confidential is decrypted. */
export type FeedEvent = DatedHeader<DomainEvent['type']>;

/** Events of organisations, for any number of listeners. */
export interface OrganisationFeed {
  /**
   * Headers of the organisation's events after a position, in order, and then as they are appended.
   * `after` is called for each subscription.
   * Errors with `FeedTooOld` if too many events followed the position.
   */
  follow(organisationId: string, after: () => number): Observable<FeedEvent>;
}

type Listener = (event: FeedEvent) => void;

/** More events followed than a listener is told again: it must begin anew. */
export class FeedTooOld extends Error {}

const retryMs = 500;
const pageEvents = 1_000;
/** Maximum number of log positions that a listener may be behind. */
const mostBehind = 20_000;

/** Maximum events that a listener is told afterwards: its stream holds them until they are read. */
const mostMissed = 500;

/**
 * Reads the end of the log once for all listeners of the process, and only while there are any. A
 * listener that was away is told from the store what it has missed.
 */
export function createOrganisationFeed(options: {
  readonly tail: Pick<LogTail, 'readPage'>;
  readonly store: Pick<EventStore, 'readHeadersOf' | 'lastPositionAfter'>;
  readonly watch: Pick<StreamWatch, 'reached'>;
  readonly signal: LogSignal;
  readonly types: readonly DomainEvent['type'][];
  readonly onError?: (error: unknown) => void;
}): OrganisationFeed {
  const { tail, store, watch, signal, types, onError } = options;
  const listeners = new Map<string, Set<Listener>>();
  let position = 0;
  let reading: Subscription | null = null;

  const pull = async () => {
    for (;;) {
      const page = await tail.readPage(position, pageEvents, types, undefined, types);
      if (page.position <= position) return;
      position = page.position;
      for (const event of page.events) {
        const own = listeners.get(event.organisationId ?? '') ?? [];
        for (const listen of [...own]) listen(event);
      }
    }
  };
  const start = () => {
    position = watch.reached();
    const delay = (error: unknown) => {
      onError?.(error);
      return timer(retryMs);
    };
    reading = pullOnHints(signal.hints, pull).pipe(retry({ delay })).subscribe();
  };
  /** Events of the organisation between two positions. Rejects with `FeedTooOld`. */
  const missed = async (organisationId: string, after: number, upTo: number) => {
    if (after >= upTo) return [];
    if (upTo - after > mostBehind) {
      if ((await store.lastPositionAfter(organisationId, after, types)) === null) return [];
      throw new FeedTooOld('the listener was away for too long');
    }
    const bounds = { after, upTo, types, limit: mostMissed + 1 };
    const events = await store.readHeadersOf(organisationId, bounds);
    if (events.length > mostMissed) throw new FeedTooOld('the listener missed too much');
    return events;
  };

  return {
    follow: (organisationId, after) =>
      new Observable<FeedEvent>((subscriber) => {
        /** Events that arrive while missed ones are read; null from then on. */
        let waiting: FeedEvent[] | null = [];
        const live: Listener = (event) => {
          if (waiting === null) subscriber.next(event);
          else waiting.push(event);
        };
        const own = listeners.get(organisationId) ?? new Set<Listener>();
        listeners.set(organisationId, own.add(live));
        if (reading === null) start();
        missed(organisationId, after(), position).then(
          (events) => {
            for (const event of [...events, ...(waiting ?? [])]) subscriber.next(event);
            waiting = null;
          },
          (error: unknown) => subscriber.error(error),
        );
        return () => {
          own.delete(live);
          if (own.size === 0) listeners.delete(organisationId);
          if (listeners.size > 0) return;
          reading?.unsubscribe();
          reading = null;
        };
      }),
  };
}
