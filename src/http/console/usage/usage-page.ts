import { findOrganisation } from '../../../../projections/access/query.ts';
import { queryProofDays } from '../../../../projections/proof-days/query.ts';
import { allowanceDecider, monthOf } from '../../../domain/allowance/decider.ts';
import { streams } from '../../../domain/streams.ts';
import { awaitPosition, type ReadDeps } from '../../../subscriptions/await-position.ts';
import { awaitKeys } from '../../keys/api-key-view.ts';
import { subjectOfOrganisation } from '../../limits/count-calls.ts';
import type { RequestLimiter } from '../../limits/request-limiter.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { type Html, html } from '../html.ts';
import { daysUntil, proofsChart } from './proofs-chart.ts';

interface Deps extends ReadDeps {
  readonly limiter: Pick<RequestLimiter, 'look'>;
  readonly now: () => Date;
}

/** Requests of the present windows, uploads of the month against the allowance, and proofs by day. */
export const usagePage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/usage',
  role: 'member',
  handle: async ({ viewer, root }, deps) => {
    const { organisationId, uploadAllowance } = viewer.organisation;
    await awaitKeys(deps, organisationId);
    const organisation = await findOrganisation(deps.db, organisationId, deps.now());
    if (organisation === null) throw new Error(`the organisation ${organisationId} is not listed`);
    const { totalRequestsPerMinute: perMinute, totalRequestsPerDay: perDay } = organisation;
    const subject = subjectOfOrganisation(organisationId);
    const quota = { subject, limits: { perMinute, perDay }, of: 'organisation' } as const;
    const counted = (await deps.limiter.look([quota]))?.windows ?? [];
    const usedOf = (name: string) => {
      const window = counted.find((each) => each.name === name);
      return window === undefined ? null : window.limit - window.remaining;
    };
    const month = monthOf(deps.now());
    const newest = await deps.store.readLast(streams.allowance(organisationId, month));
    const days = daysUntil(deps.now());
    await awaitPosition(deps.db, 'proof-days', await deps.store.lastPositionOf(organisationId), {
      signal: deps.signal,
    });
    const counts = await queryProofDays(deps.db, organisationId, days[0] ?? '');
    const content = html`<h1>Usage</h1>
      <p class="lead">As of now, of all keys together. Load the page again for newer numbers.</p>
      ${meter('minute', 'Requests in this minute', usedOf('organisation-minute'), perMinute)}
      ${meter('day', 'Requests in this day', usedOf('organisation-day'), perDay)}
      ${meter('month', `Uploads in ${month} (UTC)`, allowanceDecider.countAfter(newest), uploadAllowance)}
      ${proofsChart(days, counts, root)}
      <p class="hint">A minute and a day begin with their first request. A call above a limit is
      refused, and names the time of the next one.</p>`;
    return consoleReply({ title: 'Usage', content, root, viewer, place: 'usage' });
  },
};

/** A number against its limit; null for a number that is not known now, or for no limit. */
function meter(id: string, name: string, used: number | null, limit: number | null): Html {
  if (used === null) return html`<div class="card"><h2>${name}</h2><p>Not known now.</p></div>`;
  if (limit === null)
    return html`<div class="card"><h2>${name}</h2><p>${used}, without a limit</p></div>`;
  return html`<div class="card"><h2 id="${id}">${name}</h2>
      <p>${used} of ${limit}</p>
      <meter aria-labelledby="${id}" min="0" max="${Math.max(1, limit)}" value="${Math.min(used, limit)}"></meter></div>`;
}
