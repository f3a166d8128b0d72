import { findSignIns } from '../../../../projections/sign-ins/query.ts';
import type { Organisation } from '../../../domain/organisation/state.ts';
import { indexedAddress, isSameAddress } from '../../../domain/person/email.ts';
import type { Invitation } from '../../../domain/person/events.ts';
import {
  holdsInvitation,
  indexedIdentity,
  isSameIdentity,
  type Person,
  presentPerson,
} from '../../../domain/person/state.ts';
import type { ProvidedIdentity } from '../../../identity/contract.ts';
import { awaitPosition, type ReadDeps } from '../../../subscriptions/await-position.ts';
import type { InvitedDeps } from '../entry/find-invited.ts';
import { findOpenOrganisation } from '../entry/find-open-organisation.ts';

/** A person as whom an identity may sign in. */
export interface Candidate {
  readonly organisation: Organisation;
  readonly person: Person;
  /** Invitation that the sign-in accepts; null if the identity is bound to the person. */
  readonly invitationHash: Invitation['invitationHash'] | null;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** Number of registered people with this address who sign in in another way. */
  readonly ofOthers: number;
}

/**
 * The people of all organisations as whom the identity may sign in: those to whom it is bound, and
 * those with its verified address who have never registered, and whose invitation holds. Somebody
 * registered needs the link of a new invitation: an address may have been given to another person.
 */
export async function findCandidates(
  deps: ReadDeps & InvitedDeps,
  provided: ProvidedIdentity,
): Promise<Candidates> {
  const { db, store, signal } = deps;
  const { identity: own, email } = provided;
  await awaitPosition(db, 'sign-ins', await store.head(), { signal });
  const found = await findSignIns(db, {
    identity: await store.serviceIndex(indexedIdentity(own)),
    address: email === null ? null : await store.serviceIndex(indexedAddress(email)),
  });
  const candidates: Candidate[] = [];
  let ofOthers = 0;
  for (const { organisationId, personId } of found) {
    const organisation = await findOpenOrganisation(deps, organisationId);
    if (organisation === null) continue;
    const person = presentPerson(await deps.people(organisationId), personId);
    if (person === null) continue;
    const { identity, invitation, registeredAt } = person;
    const isAddressed = email !== null && isSameAddress(person.email, email);
    if (identity !== null && isSameIdentity(identity, own)) {
      candidates.push({ organisation, person, invitationHash: null });
    } else if (isAddressed && registeredAt !== null) {
      ofOthers += 1;
    } else if (isAddressed && invitation !== null && holdsInvitation(person, deps.now())) {
      candidates.push({ organisation, person, invitationHash: invitation.invitationHash });
    }
  }
  return { candidates, ofOthers };
}
