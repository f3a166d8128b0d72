import { Refusal } from '../refusal.ts';
import type { OrganisationId } from '../ulid.ts';
import type { OrganisationState } from './state.ts';

/** Refuses with ORGANISATION_NOT_FOUND an organisation that does not exist or was erased. */
export function requireOrganisation(
  state: OrganisationState,
  organisationId: OrganisationId,
): Extract<OrganisationState, { status: 'open' }> {
  if (state.status === 'open') return state;
  const message =
    state.status === 'erased'
      ? `organisation ${organisationId} was erased`
      : `there is no organisation ${organisationId}`;
  throw new Refusal('ORGANISATION_NOT_FOUND', message);
}
