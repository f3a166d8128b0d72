import type { Organisation } from '../../../domain/organisation/state.ts';
import type { Invitation } from '../../../domain/person/events.ts';
import { parseInvitation } from '../../../domain/person/invitation-token.ts';
import { invitedPerson, type Person } from '../../../domain/person/state.ts';
import type { OrganisationId } from '../../../domain/ulid.ts';
import type { MemberDeps } from '../member-of.ts';
import { findOpenOrganisation } from './find-open-organisation.ts';

export interface Invited {
  readonly organisation: Organisation;
  readonly person: Person;
  readonly invitationHash: Invitation['invitationHash'];
}

export interface InvitedDeps extends MemberDeps {
  readonly now: () => Date;
}

/** The person whom the text of an invitation invites, if it holds now; null otherwise. */
export async function findInvited(deps: InvitedDeps, text: string): Promise<Invited | null> {
  const parsed = parseInvitation(text);
  return parsed === null ? null : findInvitedBy(deps, parsed);
}

/** As `findInvited`, for an invitation of which only the hash is known. */
export async function findInvitedBy(
  deps: InvitedDeps,
  {
    organisationId,
    invitationHash,
  }: Pick<Invited, 'invitationHash'> & { readonly organisationId: OrganisationId },
): Promise<Invited | null> {
  const organisation = await findOpenOrganisation(deps, organisationId);
  if (organisation === null) return null;
  const people = await deps.people(organisationId);
  const person = invitedPerson(people, invitationHash, deps.now());
  return person && { organisation, person, invitationHash };
}
