import { changeRequestLimits as decide } from '../domain/organisation/decide.ts';
import type { RequestLimits } from '../domain/organisation/plan.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnOrganisation } from './decide-on-organisation.ts';

/** Sets the limits of requests; one that is not given stays. Refuses with ORGANISATION_NOT_FOUND. */
export async function changeRequestLimits(
  store: EventStore,
  organisationId: OrganisationId,
  limits: Partial<RequestLimits>,
  meta: EventMeta,
): Promise<void> {
  await decideOnOrganisation(store, organisationId, (state) => decide(state, limits), meta);
}
