import { retry, throwError, timer } from 'rxjs';
import { FeedTooOld } from '../../../subscriptions/organisation-feed.ts';
import type { StreamWatch } from '../../../subscriptions/stream-watch.ts';
import { consoleHeaders } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import type { Live } from './create-live.ts';
import { proofChange } from './live-events.ts';
import { liveHeaders, liveMessage } from './live-messages.ts';

interface Deps {
  readonly live: Live;
  readonly watch: Pick<StreamWatch, 'reached'>;
}

/**
 * Tells an open page of changes, as server-sent events: `proof` with its new state, from the log
 * position that the page shows (`after`) or was told last; `numbers` on request; `stale` if it
 * missed too much.
 */
export const liveRoute: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/live',
  role: 'member',
  handle: async ({ viewer, query, token, ctx }, { live, watch }) => {
    const { organisationId } = viewer.organisation;
    const person = { organisationId, personId: viewer.person.personId };
    const connection = live.connections.open(person, token ?? '', () => ctx.res.destroy());
    const given = ctx.req.headers['last-event-id']?.toString() ?? query.get('after') ?? '';
    let after = /^\d{1,15}$/.test(given) ? Number(given) : watch.reached();
    const missed = (error: unknown) => {
      if (!(error instanceof FeedTooOld)) return throwError(() => error);
      after = watch.reached();
      connection.send(liveMessage('stale', {}, after));
      return timer(0);
    };
    const changes = live.feed
      .follow(organisationId, () => after)
      .pipe(retry({ delay: missed }))
      .subscribe({
        next: (event) => {
          const change = proofChange(event);
          if (change !== null) connection.send(liveMessage('proof', change, event.position));
        },
        // The browser connects again, from the last message that it received.
        error: () => connection.end(),
      });
    if (query.has('numbers')) {
      changes.add(
        live.numbers(organisationId).subscribe({
          next: (numbers) => connection.send(liveMessage('numbers', numbers)),
          error: () => connection.end(),
        }),
      );
    }
    connection.onEnd(() => changes.unsubscribe());
    return {
      status: 200,
      headers: { ...consoleHeaders, ...liveHeaders },
      body: connection.body,
    };
  },
};
