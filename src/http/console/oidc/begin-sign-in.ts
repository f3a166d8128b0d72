import type { Logger } from 'pino';
import { z } from 'zod';
import { parseInvitation } from '../../../domain/person/invitation-token.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { ProviderError } from '../../../identity/provider-error.ts';
import { makeChallenge } from '../challenges.ts';
import type { ConsoleRoute } from '../console-route.ts';
import type { ConsoleSite } from '../console-site.ts';
import { findInvited } from '../entry/find-invited.ts';
import type { ProviderDeps } from '../entry/provider-button.ts';
import { jsonReply } from '../entry/session-reply.ts';
import type { MemberDeps } from '../member-of.ts';
import type { PasskeyDeps } from '../passkeys.ts';
import { logFailure } from './log-failure.ts';
import { flowCookie, flowMs, purposeOfFlow, secretsOf } from './sign-in-flow.ts';

export interface SignInFlowDeps extends PasskeyDeps, MemberDeps, ProviderDeps {
  readonly log: Logger;
}

const asked = z.object({ invitation: z.string().max(200).nullable() });

/** Address to which the provider leads the browser back. It is registered at the provider. */
export function returnUrl(site: ConsoleSite): string {
  return `${site.url}/console/oidc/return`;
}

/**
 * Begins a sign-in at the provider, bound to this browser, and answers with the provider's address.
 * A script goes there: a form would need the provider in `form-action`.
 */
export const beginSignInRoute: ConsoleRoute<SignInFlowDeps> = {
  kind: 'call',
  path: '/console/oidc/begin',
  handle: async ({ body, site, failed }, deps) => {
    const { identityProvider: provider } = deps;
    const { data } = asked.safeParse(body);
    if (provider == null || data === undefined) throw noProvider();
    const invitation = data.invitation === null ? null : parseInvitation(data.invitation);
    if (data.invitation !== null && (await findInvited(deps, data.invitation)) === null) {
      await failed();
      return jsonReply(403, { message: 'the invitation was used, has ended or does not exist' });
    }
    const token = await makeChallenge(deps, purposeOfFlow(invitation), flowMs);
    try {
      const url = await provider.begin(returnUrl(site), secretsOf(token));
      return jsonReply(200, { url: url.href }, flowCookie({ token, invitation }, site));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      logFailure(deps.log, error);
      return jsonReply(502, {
        message: 'the identity provider does not answer; try again shortly, or use a passkey',
      });
    }
  },
};

export function noProvider(): Refusal {
  return new Refusal('INVALID_REQUEST', 'this service has no identity provider; use a passkey');
}
