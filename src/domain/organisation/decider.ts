import type { Decider } from '../decider.ts';
import type { OrganisationEvent } from './events.ts';
import { evolveOrganisation, type OrganisationState, unknownOrganisation } from './state.ts';

/** The state of a organisation's stream. */
export const organisationDecider: Decider<OrganisationState, OrganisationEvent> = {
  initial: unknownOrganisation,
  evolve: evolveOrganisation,
};
