import {
  type InviteDeps,
  invitePerson,
  type MadeInvitation,
  reinvitePerson,
} from '../../../commands/invite-person.ts';
import { OtherRole } from '../../../domain/person/decider.ts';
import { type Role, roles } from '../../../domain/person/events.ts';
import type { Person } from '../../../domain/person/state.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, redirectTo, sentence } from '../console-page.ts';
import type { ConsoleRoute, FormRequest } from '../console-route.ts';
import { invitationLink } from '../console-site.ts';
import { html, timeInHtml } from '../html.ts';
import { copiedState, shownSecret } from '../shown-secret.ts';
import { type PeopleDeps, showPeople } from './people-page.ts';
import { readPersonId } from './read-person-id.ts';

/** Invites somebody, and shows the link once. The role of somebody in the list never changes by it. */
export const inviteRoute: ConsoleRoute<InviteDeps & PeopleDeps> = {
  kind: 'form',
  path: '/console/people',
  role: 'owner',
  again: (request, deps) => showPeople(request, deps, { typed: request.form, note: request.note }),
  handle: async (request, deps) => {
    try {
      const { organisationId } = request.viewer.organisation;
      const email = (request.form.get('email') ?? '').trim();
      const role = readRole(request.form);
      const order = { organisationId, email, role, roleOfKnown: 'must-match' } as const;
      return invitationPage(request, await invitePerson(deps, order, request.meta));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const typed = request.form;
      if (error instanceof OtherRole) {
        return showPeople(request, deps, { typed, note: otherRole(error.person), status: 409 });
      }
      const note = sentence(error.message);
      return showPeople(request, deps, { typed, note, status: 400 });
    }
  },
};

/** Invites a person again, who lost the passkey or let the invitation end. */
export const reinviteRoute: ConsoleRoute<InviteDeps & PeopleDeps> = {
  kind: 'form',
  path: '/console/people/:id/invite',
  role: 'owner',
  again: async ({ root }) => redirectTo(root, 'console/people'),
  handle: async (request, deps) => {
    const { organisationId } = request.viewer.organisation;
    const personId = readPersonId(request.params.id);
    const made = await reinvitePerson(deps, { organisationId, personId }, request.meta);
    return invitationPage(request, made);
  },
};

function otherRole({ email, role }: Person): string {
  const other = role === 'owner' ? 'member' : 'owner';
  return (
    `${email} is in the list already, as ${role}. Nobody was invited, and no role was changed. ` +
    `To change the role, choose Make ${other} in the list. For a new link, choose New invitation.`
  );
}

export function readRole(form: URLSearchParams): Role {
  const role = roles.find((each) => each === form.get('role'));
  if (role !== undefined) return role;
  throw new Refusal('INVALID_REQUEST', `role: must be one of ${roles.join(', ')}`);
}

/** The link of an invitation, with the role that the person has. */
function invitationPage({ viewer, root, site }: FormRequest, made: MadeInvitation): Reply {
  const { email, role } = made;
  const content = html`<h1>Send this link to ${email}</h1>
    <p class="lead">It holds once, until ${timeInHtml(made.expiresAt)}. Whoever opens it joins your
    organisation in this person's name, so send it by a way that you trust.</p>
    <p>Role: <span class="badge">${role}</span></p>
    ${shownSecret('link', 'Link of the invitation', invitationLink(site.url, made.invitation), 'Copy the link')}
    ${copiedState}
    <p><a href="${root}console/people">To all people</a></p>`;
  const page = { title: 'Invitation', content, root, viewer, place: 'people' } as const;
  return consoleReply({ ...page, status: 201 });
}
