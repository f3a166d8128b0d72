import {
  asyncScheduler,
  catchError,
  concatMap,
  EMPTY,
  finalize,
  from,
  merge,
  Observable,
  Subject,
  share,
  throttleTime,
} from 'rxjs';
import type { OrganisationId } from '../../../domain/ulid.ts';
import type { FeedEvent } from '../../../subscriptions/organisation-feed.ts';
import type { LiveNumber } from '../usage/usage-texts.ts';

export type LiveNumbers = Readonly<Record<string, LiveNumber>>;

/** Minimum time between two readings for one organisation. */
const betweenMs = 1_000;

/**
 * Numbers of organisations as they change. They are read once for all open pages of an organisation:
 * after its events and when a page is opened, at most once a second.
 */
export function createLiveNumbers(options: {
  readonly changes: (organisationId: OrganisationId) => Observable<FeedEvent>;
  readonly read: (organisationId: OrganisationId) => Promise<LiveNumbers>;
  readonly onError?: (error: unknown) => void;
}): (organisationId: OrganisationId) => Observable<LiveNumbers> {
  const { changes, read, onError } = options;
  const shared = new Map<
    OrganisationId,
    { refresh: Subject<void>; numbers: Observable<LiveNumbers> }
  >();
  const readingOf = (organisationId: OrganisationId) =>
    from(read(organisationId)).pipe(
      catchError((error: unknown) => {
        onError?.(error);
        return EMPTY;
      }),
    );
  const shareNumbers = (organisationId: OrganisationId) => {
    const refresh = new Subject<void>();
    const numbers = merge(refresh, changes(organisationId)).pipe(
      throttleTime(betweenMs, asyncScheduler, { leading: true, trailing: true }),
      concatMap(() => readingOf(organisationId)),
      finalize(() => shared.delete(organisationId)),
      share(),
    );
    const made = { refresh, numbers };
    shared.set(organisationId, made);
    return made;
  };
  return (organisationId) =>
    new Observable((subscriber) => {
      const { refresh, numbers } = shared.get(organisationId) ?? shareNumbers(organisationId);
      const subscription = numbers.subscribe(subscriber);
      refresh.next();
      return subscription;
    });
}
