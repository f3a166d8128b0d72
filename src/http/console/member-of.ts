import type { Organisation } from '../../domain/organisation/state.ts';
import { type PeopleState, type Person, presentPerson } from '../../domain/person/state.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import type { KnownPeople } from '../../loading/known-people.ts';
import { type FindingDeps, findOpenOrganisation } from './entry/find-open-organisation.ts';
import type { Session } from './sessions.ts';

export interface MemberDeps extends FindingDeps {
  readonly people: KnownPeople;
}

/** An organisation that is neither closed nor erased, and its people. */
export interface PeopleOfOrganisation {
  readonly organisation: Organisation;
  readonly people: PeopleState;
}

/** The person of a session, and the organisation. */
export interface Member {
  readonly person: Person;
  readonly organisation: Organisation;
}

/** The organisation with its people; null if it does not exist, or is closed or erased. */
export async function findPeople(
  deps: MemberDeps,
  organisationId: OrganisationId,
): Promise<PeopleOfOrganisation | null> {
  const organisation = await findOpenOrganisation(deps, organisationId);
  if (organisation === null) return null;
  return { organisation, people: await deps.people(organisationId) };
}

/**
 * The only rule by which a session is somebody's: the person was neither removed nor registered
 * again since the sign-in, and the organisation is open. Null for all other sessions.
 */
export function memberOf(
  { personId, registration }: Session,
  found: PeopleOfOrganisation | null,
): Member | null {
  if (found === null) return null;
  const person = presentPerson(found.people, personId);
  if (person?.registeredAt == null || person.registrations !== registration) return null;
  return { person, organisation: found.organisation };
}
