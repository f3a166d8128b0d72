import type { Reply } from '../../reply.ts';
import { redirectTo } from '../console-page.ts';
import type { ConsoleRoute, FormRequest } from '../console-route.ts';
import { sessionCookie } from '../session-cookie.ts';
import { endSession, endSessionsOf, type SessionDeps } from '../sessions.ts';

const again = async ({ root }: FormRequest): Promise<Reply> => redirectTo(root, 'console');

function signedOut({ root, site }: FormRequest): Reply {
  return redirectTo(root, 'console', sessionCookie('', site, 0));
}

export const signOutRoute: ConsoleRoute<SessionDeps> = {
  kind: 'form',
  path: '/console/sign-out',
  role: 'member',
  whenSuspended: true,
  again,
  handle: async (request, deps) => {
    if (request.token !== null) await endSession(deps, request.token);
    return signedOut(request);
  },
};

/** Ends the sessions of the person in all browsers. */
export const signOutEverywhereRoute: ConsoleRoute<SessionDeps> = {
  kind: 'form',
  path: '/console/sign-out-everywhere',
  role: 'member',
  whenSuspended: true,
  again,
  handle: async (request, deps) => {
    const { organisation, person } = request.viewer;
    const { organisationId } = organisation;
    await endSessionsOf(deps, { organisationId, personId: person.personId });
    return signedOut(request);
  },
};
