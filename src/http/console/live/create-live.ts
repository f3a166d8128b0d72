import type { Logger } from 'pino';
import type { Observable } from 'rxjs';
import type { OrganisationId } from '../../../domain/ulid.ts';
import { loggable } from '../../../errors/loggable.ts';
import type { EventStore } from '../../../event-store/event-store.ts';
import type { KnownPeople } from '../../../loading/known-people.ts';
import { loadOrganisation } from '../../../loading/load-organisation.ts';
import type { LogTail } from '../../../subscriptions/log-tail.ts';
import {
  createOrganisationFeed,
  type OrganisationFeed,
} from '../../../subscriptions/organisation-feed.ts';
import type { StreamWatch } from '../../../subscriptions/stream-watch.ts';
import { createReadSessions } from '../read-sessions.ts';
import type { SessionDeps } from '../sessions.ts';
import { readUsage, type UsageDeps } from '../usage/read-usage.ts';
import { usageNumbers } from '../usage/usage-texts.ts';
import { createLiveConnections, type LiveConnections } from './live-connections.ts';
import { liveTypes } from './live-events.ts';
import { createLiveNumbers, type LiveNumbers } from './live-numbers.ts';

/** Changes and numbers that open pages of the console receive. */
export interface Live {
  readonly feed: OrganisationFeed;
  readonly connections: LiveConnections;
  readonly numbers: (organisationId: OrganisationId) => Observable<LiveNumbers>;
}

/** Times and numbers of open pages; the defaults suit operation. */
export type LiveOptions = Pick<
  Parameters<typeof createLiveConnections>[0],
  'limits' | 'beatMs' | 'checkMs'
>;

/** Opens nothing before the first page listens. */
export function createLive(
  deps: UsageDeps &
    SessionDeps & {
      readonly store: EventStore;
      readonly people: KnownPeople;
      readonly watch: StreamWatch;
      readonly draining: AbortSignal;
      readonly log: Logger;
      readonly tail: Pick<LogTail, 'readPage'> | undefined;
      readonly liveOptions: LiveOptions | undefined;
    },
): Live {
  const { store, watch, signal, log, draining, tail = store } = deps;
  const onError = (error: unknown) =>
    log.warn(
      { err: loggable(error) },
      'open pages of the console could not be told of changes; trying again',
    );
  const feed = createOrganisationFeed({ tail, store, watch, signal, types: liveTypes, onError });
  return {
    feed,
    connections: createLiveConnections({
      ...{ findSessions: createReadSessions(deps), draining, onError },
      ...deps.liveOptions,
    }),
    numbers: createLiveNumbers({
      changes: (organisationId) => feed.follow(organisationId, watch.reached),
      read: async (organisationId) =>
        usageNumbers(await readUsage(deps, await loadOrganisation(store, organisationId))),
      onError,
    }),
  };
}
