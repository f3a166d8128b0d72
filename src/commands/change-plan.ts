import { changePlan as decide } from '../domain/organisation/decide.ts';
import type { Plan } from '../domain/organisation/plan.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnOrganisation } from './decide-on-organisation.ts';

/** Moves the organisation to another plan; what was accepted before is still anchored. Refuses with ORGANISATION_NOT_FOUND. */
export async function changePlan(
  store: EventStore,
  organisationId: OrganisationId,
  plan: Plan,
  meta: EventMeta,
): Promise<void> {
  await decideOnOrganisation(store, organisationId, (state) => decide(state, plan), meta);
}
