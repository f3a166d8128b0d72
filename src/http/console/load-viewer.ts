import type { Role } from '../../domain/person/events.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { StreamWatch } from '../../subscriptions/stream-watch.ts';
import type { Viewer } from './console-route.ts';
import { findPeople, type MemberDeps, memberOf } from './member-of.ts';
import { formToken, type Session } from './sessions.ts';

/** The person of a session as of now; null if the session is nobody's any more. */
export async function loadViewer(
  { watch, ...deps }: MemberDeps & { readonly watch: Pick<StreamWatch, 'reached'> },
  session: Session,
  token: string,
): Promise<Viewer | null> {
  const position = watch.reached();
  const member = memberOf(session, await findPeople(deps, session.organisationId));
  return member && { ...member, formToken: formToken(token), position };
}

/** Refuses with COMPANY_SUSPENDED. */
export function requireActive({ organisation }: Viewer): void {
  if (!organisation.suspended) return;
  const message = 'the organisation is suspended; contact the operator of the service';
  throw new Refusal('COMPANY_SUSPENDED', message);
}

/** Refuses with SCOPE_NOT_PERMITTED. */
export function requireRole({ person }: Viewer, role: Role): void {
  if (role === 'member' || person.role === 'owner') return;
  throw new Refusal('SCOPE_NOT_PERMITTED', 'only owners of the organisation may do this');
}
