import { organisationDecider } from '../domain/organisation/decider.ts';
import type { Plan } from '../domain/organisation/plan.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { handleOrganisation } from './handle-organisation.ts';

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
  const decide = (organisation: Organisation) => organisationDecider.changePlan(organisation, plan);
  await handleOrganisation(store, organisationId, decide, meta);
}
