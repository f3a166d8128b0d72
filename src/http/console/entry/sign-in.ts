import { presentPerson } from '../../../domain/person/state.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { EventStore } from '../../../event-store/event-store.ts';
import { loadOrganisation } from '../../../loading/load-organisation.ts';
import { loadPeople } from '../../../loading/load-people.ts';
import type { Reply } from '../../reply.ts';
import { consoleHeaders, redirectTo } from '../console-page.ts';
import type { CallRequest, ConsoleRoute } from '../console-route.ts';
import { claimedPerson, type PasskeyDeps, signInOptions, verifySignIn } from '../passkeys.ts';
import { sessionCookie } from '../session-cookie.ts';
import { endSession, formToken, type Session, sessionMs, startSession } from '../sessions.ts';
import { signInPage } from './sign-in-page.ts';

interface Deps extends PasskeyDeps {
  readonly store: EventStore;
}

export const homeRoute: ConsoleRoute<unknown> = {
  kind: 'open',
  path: '/console',
  handle: async ({ viewer, root }) =>
    viewer === null ? signInPage({ root }) : redirectTo(root, 'console/keys'),
};

export const signInOptionsRoute: ConsoleRoute<Deps> = {
  kind: 'call',
  path: '/console/sign-in/options',
  handle: async ({ site }, deps) => jsonReply(200, await signInOptions(deps, site)),
};

/** Signs in by a passkey. Every refusal is the same, whatever its reason. */
export const signInRoute: ConsoleRoute<Deps> = {
  kind: 'call',
  path: '/console/sign-in',
  handle: async (request, deps) => {
    const response = request.body;
    const session = await verifiedPerson(deps, request, response);
    if (session === null) {
      await request.failed();
      return jsonReply(403, { message: 'this passkey does not sign in here' });
    }
    return sessionReply(deps, request, session);
  },
};

async function verifiedPerson(
  deps: Deps,
  { site }: CallRequest,
  response: unknown,
): Promise<Session | null> {
  const claimed = claimedPerson(response);
  if (claimed === null) return null;
  const { organisationId, personId } = claimed;
  const organisation = await loadOrganisation(deps.store, organisationId).catch(absent);
  if (organisation === null || organisation.closed) return null;
  const person = presentPerson(await loadPeople(deps.store, organisationId), personId);
  if (person?.passkey == null) return null;
  const isRight = await verifySignIn(deps, site, { response, passkey: person.passkey });
  return isRight ? claimed : null;
}

function absent(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** Starts a session with a token of its own. A session that the browser had before ends. */
export async function sessionReply(
  deps: PasskeyDeps,
  { site, token: former }: Pick<CallRequest, 'site' | 'token'>,
  session: Session,
): Promise<Reply> {
  if (former !== null) await endSession(deps, former);
  const token = await startSession(deps, session);
  const reply = jsonReply(200, { token: formToken(token) });
  const cookie = sessionCookie(token, site, sessionMs / 1_000);
  return { ...reply, headers: { ...reply.headers, 'Set-Cookie': cookie } };
}

export function jsonReply(status: number, body: object): Reply {
  return { status, headers: { ...consoleHeaders }, body };
}
