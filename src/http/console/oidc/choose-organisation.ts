import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ProvidedIdentity } from '../../../identity/contract.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import type { Reply } from '../../reply.ts';
import { makeChallenge, takeChallenge } from '../challenges.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts';
import { jsonReply, sessionReply } from '../entry/session-reply.ts';
import { type Html, html } from '../html.ts';
import type { MemberDeps } from '../member-of.ts';
import type { PasskeyDeps } from '../passkeys.ts';
import { type Candidate, findCandidates } from './find-candidates.ts';
import { identifyCandidate } from './identify-candidate.ts';

const saltBytes = 16;

/**
 * The page on which a person accepts an invitation, or chooses one of several organisations. It
 * holds the statement of the provider itself, which the service has checked: the challenge is for
 * that statement alone.
 */
export async function choosePage(
  { root }: Pick<ConsoleRequest, 'root'>,
  deps: PasskeyDeps,
  {
    candidates,
    provided,
  }: { readonly candidates: readonly Candidate[]; readonly provided: ProvidedIdentity },
): Promise<Reply> {
  // Without the salt, a guess of the statement could be compared with the stored challenge.
  const salt = deps.randomBytes(saltBytes).toString('base64url');
  const statement = Buffer.from(JSON.stringify({ ...provided, salt })).toString('base64url');
  const token = await makeChallenge(deps, purposeOf(statement));
  const [first] = candidates;
  const isOne = candidates.length === 1;
  const title = isOne ? 'Accept the invitation' : 'Choose an organisation';
  const lead = isOne
    ? `You are invited to ${first?.organisation.name}. Accept only an invitation that you expect: you join when you choose “Accept and join”.`
    : 'You belong or are invited to several. To change later, sign out and sign in again.';
  const content = html`<h1>${title}</h1>
    <p class="lead">${lead}</p>
    <ul class="cards" id="choices" data-root="${root}" data-token="${token}" data-statement="${statement}"
      data-failed="This choice is no longer possible. Sign in again."
      data-trouble="The service does not answer. Sign in again shortly.">${candidates.map(choice)}</ul>
    <p id="state" class="note" role="status" hidden></p>
    <p><a href="${root}console">Back to the sign-in</a></p>`;
  return consoleReply({ title, content, root, viewer: null, script: 'console-entry.js' });
}

function choice({ organisation, person, invitationHash }: Candidate): Html {
  const { organisationId, name } = organisation;
  const isInvited = invitationHash !== null;
  return html`<li class="card">
        <h2>${name}</h2>
        <p>${isInvited ? `${person.email} is invited as ${person.role}.` : `${person.email} (${person.role})`}</p>
        <p><button type="button" disabled data-organisation="${organisationId}" data-person="${person.personId}">${isInvited ? 'Accept and join' : 'Sign in'}<span class="unseen"> ${isInvited ? '' : 'to '}${name}</span></button></p>
      </li>`;
}

function purposeOf(statement: string): string {
  return `oidc choice ${createHash('sha256').update(statement).digest('hex')}`;
}

const chosen = z.object({
  token: z.string().max(100),
  statement: z.string().max(20_000),
  organisationId: z.string().max(100),
  personId: z.string().max(100),
});

/** Signs in to one of the organisations that the page offers, and accepts its invitation. */
export const chooseRoute: ConsoleRoute<PasskeyDeps & MemberDeps & ReadDeps> = {
  kind: 'call',
  path: '/console/oidc/choose',
  handle: async (request, deps) => {
    const { data } = chosen.safeParse(request.body);
    const isOurs =
      data !== undefined && (await takeChallenge(deps, purposeOf(data.statement), data.token));
    if (!isOurs) {
      await request.failed();
      return notPossible();
    }
    const provided: ProvidedIdentity = JSON.parse(
      Buffer.from(data.statement, 'base64url').toString(),
    );
    const { candidates } = await findCandidates(deps, provided);
    const candidate = candidates.find(
      ({ organisation, person }) =>
        organisation.organisationId === data.organisationId && person.personId === data.personId,
    );
    if (candidate === undefined) return notPossible();
    const outcome = await identifyCandidate(deps, request.meta, candidate, provided);
    if ('refused' in outcome) return notPossible();
    return sessionReply(deps, request, outcome.session);
  },
};

function notPossible(): Reply {
  return jsonReply(403, { message: 'this choice is no longer possible; sign in again' });
}
