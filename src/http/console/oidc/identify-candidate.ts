import { identifyPerson } from '../../../commands/identify-person.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { EventStore } from '../../../event-store/event-store.ts';
import type { EventMeta } from '../../../event-store/stored-event.ts';
import type { ProvidedIdentity } from '../../../identity/contract.ts';
import { endSessionsOf, type Session, type SessionDeps } from '../sessions.ts';
import type { Candidate } from './find-candidates.ts';

const maxCharacters = 255;

/** Signs the person in. An invitation that is accepted binds the identity, and ends former sessions. */
export async function identifyCandidate(
  deps: SessionDeps & { readonly store: EventStore },
  meta: EventMeta,
  { organisation: { organisationId }, person: { personId, email }, invitationHash }: Candidate,
  provided: ProvidedIdentity,
): Promise<{ readonly session: Session } | { readonly refused: string }> {
  const named = [...(provided.name ?? '').replaceAll('\0', '').trim()]
    .slice(0, maxCharacters)
    .join('');
  const order = {
    ...{ organisationId, personId, identity: provided.identity, email: provided.email },
    name: named.isWellFormed() && named !== '' ? named : email,
    invitationHash,
  };
  try {
    const registration = await identifyPerson(deps, order, { ...meta, personId });
    if (invitationHash !== null) await endSessionsOf(deps, { organisationId, personId });
    return { session: { organisationId, personId, registration } };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}
