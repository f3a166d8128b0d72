import { presentPerson } from '../../../domain/person/state.ts';
import { redirectTo } from '../console-page.ts';
import type { CallRequest, ConsoleRoute } from '../console-route.ts';
import type { MemberDeps } from '../member-of.ts';
import { claimedPerson, type PasskeyDeps, signInOptions, verifySignIn } from '../passkeys.ts';
import type { Session } from '../sessions.ts';
import { findOpenOrganisation } from './find-open-organisation.ts';
import type { ProviderDeps } from './provider-button.ts';
import { jsonReply, sessionReply } from './session-reply.ts';
import { signInPage } from './sign-in-page.ts';

type Deps = PasskeyDeps & MemberDeps;

export const homeRoute: ConsoleRoute<ProviderDeps> = {
  kind: 'open',
  path: '/console',
  handle: async ({ viewer, root }, { identityProvider }) =>
    viewer === null ? signInPage({ root, identityProvider }) : redirectTo(root, 'console/keys'),
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
  if ((await findOpenOrganisation(deps, organisationId)) === null) return null;
  const person = presentPerson(await deps.people(organisationId), personId);
  if (person?.passkey == null) return null;
  const isRight = await verifySignIn(deps, site, { response, passkey: person.passkey });
  return isRight ? { ...claimed, registration: person.registrations } : null;
}
