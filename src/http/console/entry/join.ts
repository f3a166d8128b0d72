import { z } from 'zod';
import { registerPerson } from '../../../commands/register-person.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { purposeOfInvitation } from '../challenges.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { html } from '../html.ts';
import type { MemberDeps } from '../member-of.ts';
import { type PasskeyDeps, registrationOptions, verifyRegistration } from '../passkeys.ts';
import { endSessionsOf } from '../sessions.ts';
import { findInvited, type Invited } from './find-invited.ts';
import { type ProviderDeps, providerButton } from './provider-button.ts';
import { jsonReply, sessionReply } from './session-reply.ts';

type Deps = PasskeyDeps & MemberDeps;

/** The page that an invitation opens. The invitation is in the fragment, which is never sent. */
export const joinPage: ConsoleRoute<ProviderDeps> = {
  kind: 'open',
  path: '/console/join',
  handle: async ({ root }, { identityProvider }) => {
    const content = html`<h1>Join the console</h1>
      <p class="lead" id="invited" data-text="{email} is invited to {organisation} as {role}.">You
      are invited to the console of an organisation.</p>
      <noscript><p class="note">Passkeys need JavaScript. Switch it on for this page.</p></noscript>
      <form id="join" data-root="${root}"
        data-cancelled="Nothing was sent. Try again when you are ready."
        data-nameless="Enter your name."
        data-failed="The invitation was used, has ended or does not exist. Ask for a new one."
        data-unsupported="This browser has no passkeys. Use a current browser."
        data-trouble="The service does not answer. Try again shortly.">
        <label for="name">Your name</label>
        <input id="name" name="name" autocomplete="name" required maxlength="255">
        <p class="hint">The people of your organisation see it beside what you change.</p>
        <p><button disabled>Make a passkey and join</button></p>
      </form>
      ${providerButton(identityProvider, root, 'Join')}
      <p id="state" class="note" role="status" hidden></p>
      <p class="hint">A passkey replaces a password. It stays on your device or in your password
      manager, and the service stores its public half only. If you signed in here
      in another way before, such as by a lost passkey, the new one replaces it.</p>`;
    const page = { title: 'Join the console', content, root, viewer: null };
    return consoleReply({ ...page, script: 'console-entry.js' });
  },
};

const asked = z.object({ invitation: z.string().max(200) });
const purposeOf = ({ organisation, invitationHash }: Invited) =>
  purposeOfInvitation('join', organisation.organisationId, invitationHash);

/** Options to make a passkey, and what the invitation says. */
export const joinOptionsRoute: ConsoleRoute<Deps> = {
  kind: 'call',
  path: '/console/join/options',
  handle: async ({ body, site, failed }, deps) => {
    const { data } = asked.safeParse(body);
    const invited = data === undefined ? null : await findInvited(deps, data.invitation);
    if (invited === null) {
      await failed();
      return noInvitationReply();
    }
    const { person, organisation } = invited;
    const { personId, email, role } = person;
    const { organisationId, name } = organisation;
    const whom = { organisationId, personId, email, purpose: purposeOf(invited) };
    const options = await registrationOptions(deps, site, whom);
    return jsonReply(200, { options, email, role, organisation: name });
  },
};

const joining = z.object({
  invitation: z.string().max(200),
  name: z.string().catch(''),
  response: z.unknown(),
});

/** Accepts an invitation with a new passkey, and signs in. Former sessions end. */
export const joinRoute: ConsoleRoute<Deps> = {
  kind: 'call',
  path: '/console/join',
  handle: async (request, deps) => {
    const { data } = joining.safeParse(request.body);
    const invited = data === undefined ? null : await findInvited(deps, data.invitation);
    if (data === undefined || invited === null) {
      await request.failed();
      return noInvitationReply();
    }
    const { organisation, person, invitationHash } = invited;
    const { organisationId } = organisation;
    const { personId } = person;
    const name = data.name.trim();
    if (name === '') return jsonReply(400, { message: 'the name is missing; enter your name' });
    const passkey = await verifyRegistration(deps, request.site, {
      response: data.response,
      purpose: purposeOf(invited),
    });
    if (passkey === null) {
      await request.failed();
      return noInvitationReply();
    }
    const order = { organisationId, invitationHash, name, passkey };
    try {
      const registration = await registerPerson(deps, order, { ...request.meta, personId });
      await endSessionsOf(deps, { organisationId, personId });
      return await sessionReply(deps, request, { organisationId, personId, registration });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isName = error.code === 'INVALID_REQUEST';
      return isName ? jsonReply(400, { message: error.message }) : noInvitationReply();
    }
  },
};

function noInvitationReply() {
  return jsonReply(403, { message: 'the invitation was used, has ended or does not exist' });
}
