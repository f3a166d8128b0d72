import type { ProvidedIdentity, ProviderTrouble } from '../../../identity/contract.ts';
import { ProviderError } from '../../../identity/provider-error.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import type { Reply } from '../../reply.ts';
import { takeChallenge } from '../challenges.ts';
import { consoleReply, redirectTo, sentence } from '../console-page.ts';
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts';
import { findInvitedBy } from '../entry/find-invited.ts';
import { beginSession } from '../entry/session-reply.ts';
import { html } from '../html.ts';
import { returnUrl, type SignInFlowDeps } from './begin-sign-in.ts';
import { choosePage } from './choose-organisation.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import { identifyCandidate } from './identify-candidate.ts';
import { logFailure } from './log-failure.ts';
import { isStateOf, purposeOfFlow, readFlow, type SignInFlow, secretsOf } from './sign-in-flow.ts';

type Deps = SignInFlowDeps & ReadDeps;

/** The page at which the browser comes back from the provider. */
export const endSignInRoute: ConsoleRoute<Deps> = {
  kind: 'open',
  path: '/console/oidc/return',
  handle: async (request, deps) => {
    const { root, site, query, cookies } = request;
    const { identityProvider: provider } = deps;
    if (provider == null) return redirectTo(root, 'console');
    const flow = readFlow(cookies, site);
    // A page of another site can send the browser here, which must use up nothing.
    if (flow === null || !isStateOf(flow, query)) return problem(root, notThisSignIn, 403);
    if (!(await takeChallenge(deps, purposeOfFlow(flow.invitation), flow.token))) {
      await request.failed();
      return problem(root, notThisSignIn, 403);
    }
    try {
      const returned = new URL(`${returnUrl(site)}?${query}`);
      const provided = await provider.finish(returned, secretsOf(flow.token));
      return await signIn(request, deps, flow, provided);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      logFailure(deps.log, error);
      const [status, text] = problems[error.trouble];
      const isTried = error.trouble === 'invalid' || error.trouble === 'unfinished';
      if (isTried) await request.failed();
      return problem(root, `${provider.name} ${text}`, status);
    }
  },
};

const notThisSignIn =
  'this sign-in was used, took too long, or began in another browser; go back and sign in again';

/** For people: what happened, and what to do. */
const problems: Readonly<Record<ProviderTrouble, readonly [number, string]>> = {
  away: [502, 'does not answer; try again shortly, or use a passkey'],
  cancelled: [403, 'did not sign you in, and nothing was changed; try again, or use a passkey'],
  unfinished: [
    403,
    'did not sign you in, and nothing was changed; try again, and tell the operator if it happens again',
  ],
  refused: [502, 'refuses this service; tell the operator, or use a passkey'],
  invalid: [
    403,
    'gave an answer that cannot be trusted, so you are not signed in; try again, and tell the operator if it happens again',
  ],
};

async function signIn(
  request: ConsoleRequest,
  deps: Deps,
  { invitation }: SignInFlow,
  provided: ProvidedIdentity,
): Promise<Reply> {
  const { root } = request;
  if (invitation !== null) {
    const invited = await findInvitedBy(deps, invitation);
    if (invited === null)
      return problem(
        root,
        'the invitation was used or has ended; ask an owner of your organisation or the operator for a new one',
        403,
      );
    return signInAs(request, deps, invited, provided);
  }
  const { candidates, ofOthers } = await findCandidates(deps, provided);
  const [first] = candidates;
  const mustAsk = candidates.length > 1 || (first !== undefined && first.invitationHash !== null);
  if (mustAsk) return choosePage(request, deps, { candidates, provided });
  if (first !== undefined) return signInAs(request, deps, first, provided);
  await request.failed();
  return problem(root, whyNobody(provided, ofOthers), 403);
}

function whyNobody({ email }: ProvidedIdentity, ofOthers: number): string {
  if (ofOthers > 0) {
    return 'the person with your e-mail address signs in here with a passkey, or with another account of the provider; to sign in with this account, ask an owner of your organisation for a new invitation, open its link, and join with the provider there';
  }
  return email === null
    ? 'the provider confirms no e-mail address of yours, so nobody can be found; verify your address there'
    : `nobody with the address ${email} is invited here; ask an owner of your organisation for an invitation`;
}

async function signInAs(
  request: ConsoleRequest,
  deps: Deps,
  candidate: Candidate,
  provided: ProvidedIdentity,
): Promise<Reply> {
  const { root } = request;
  const outcome = await identifyCandidate(deps, request.meta, candidate, provided);
  if ('refused' in outcome) return problem(root, outcome.refused, 403);
  const { formToken, setCookie } = await beginSession(deps, request, outcome.session);
  // The cookie of the session is not sent to a page that another site led to, so this page goes on.
  const content = html`<h1>You are signed in</h1>
    <p id="proceed" data-root="${root}" data-token="${formToken}"><a href="${root}console">Continue to the console</a></p>`;
  const page = { title: 'Signed in', content, root, viewer: null, setCookie } as const;
  return consoleReply({ ...page, script: 'console-entry.js' });
}

function problem(root: string, message: string, status: number): Reply {
  const content = html`<h1>You are not signed in</h1>
    <p class="lead">${sentence(message)}</p>
    <p><a href="${root}console">Back to the sign-in</a></p>`;
  return consoleReply({ title: 'Not signed in', content, root, viewer: null, status });
}
