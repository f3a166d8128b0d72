import {
  type Changed,
  changeOrganisationLimits,
  changeRequestLimits as decide,
} from '../domain/organisation/decide.ts';
import type { OrganisationLimits } from '../domain/organisation/organisation-limits.ts';
import type { RequestLimits } from '../domain/organisation/plan.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnOrganisation } from './decide-on-organisation.ts';

/** Limits of each key, and of the organisation as a whole. For the latter null restores the default. */
export type LimitsOrder = Changed<RequestLimits & OrganisationLimits>;

/** Sets the given limits. Refuses with ORGANISATION_NOT_FOUND, INVALID_REQUEST. */
export async function changeRequestLimits(
  store: EventStore,
  organisationId: OrganisationId,
  order: LimitsOrder,
  meta: EventMeta,
): Promise<void> {
  const decideBoth = (state: Organisation) => [
    ...decide(state, order),
    ...changeOrganisationLimits(state, order),
  ];
  await decideOnOrganisation(store, organisationId, decideBoth, meta);
}
