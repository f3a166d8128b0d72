import type { OrganisationId } from './ulid.ts';

/** The organisation that a state names. Throws for the state of a stream that does not exist. */
export function ownerOf(state: {
  readonly status: string;
  readonly organisationId?: OrganisationId;
}): OrganisationId {
  if (state.organisationId !== undefined) return state.organisationId;
  throw new Error(`a stream that is ${state.status} has no owner`);
}
