import { organisationDecider } from '../domain/organisation/decider.ts';
import type { Plan } from '../domain/organisation/plan.ts';
import { requireOrganisation } from '../domain/organisation/require-organisation.ts';
import type { OrganisationState } from '../domain/organisation/state.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';

/**
 * Moves the organisation to another plan. Proofs accepted before are still anchored. Refuses with
 * ORGANISATION_NOT_FOUND.
 */
export async function changePlan(
  store: EventStore,
  organisationId: OrganisationId,
  plan: Plan,
  meta: EventMeta,
): Promise<void> {
  const command = (state: OrganisationState) =>
    organisationDecider.changePlan(requireOrganisation(state, organisationId), plan);
  const stream = streams.organisation(organisationId);
  await handle(store, stream, organisationDecider, command, meta);
}
