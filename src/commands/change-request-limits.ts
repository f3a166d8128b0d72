import { type Changed, organisationDecider } from '../domain/organisation/decider.ts';
import type { OrganisationLimits } from '../domain/organisation/organisation-limits.ts';
import type { RequestLimits } from '../domain/organisation/plan.ts';
import { requireOrganisation } from '../domain/organisation/require-organisation.ts';
import type { OrganisationState } from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Limits of each key, and of the organisation as a whole. For the latter, null restores the
 * default.
 */
export type LimitsOrder = Changed<RequestLimits & OrganisationLimits>;

/** Sets the given limits. Refuses with ORGANISATION_NOT_FOUND and INVALID_REQUEST. */
export async function changeRequestLimits(
  store: EventStore,
  organisationId: OrganisationId,
  order: LimitsOrder,
  meta: EventMeta,
): Promise<void> {
  const command = (state: OrganisationState) => {
    const organisation = requireOrganisation(state, organisationId);
    return [
      ...organisationDecider.changeRequestLimits(organisation, order),
      ...organisationDecider.changeOrganisationLimits(organisation, order),
    ];
  };
  const stream = streams.organisation(organisationId);
  await handle(store, stream, organisationDecider, command, meta);
}
