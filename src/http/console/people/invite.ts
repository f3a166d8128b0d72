import { type InviteDeps, invitePerson } from '../../../commands/invite-person.ts';
import { type Role, roles } from '../../../domain/person/events.ts';
import { presentPerson } from '../../../domain/person/state.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { loadPeople } from '../../../loading/load-people.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, redirectTo, sentence } from '../console-page.ts';
import type { ConsoleRoute, FormRequest } from '../console-route.ts';
import { invitationLink } from '../console-site.ts';
import { html, timeInHtml } from '../html.ts';
import { showPeople } from './people-page.ts';
import { readPersonId } from './read-person-id.ts';

/** Invites somebody, and shows the link once. */
export const inviteRoute: ConsoleRoute<InviteDeps> = {
  kind: 'form',
  path: '/console/people',
  role: 'owner',
  again: (request, deps) => showPeople(request, deps, { typed: request.form, note: request.note }),
  handle: async (request, deps) => {
    try {
      const email = (request.form.get('email') ?? '').trim();
      return await invited(request, deps, { email, role: readRole(request.form) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const note = sentence(error.message);
      return showPeople(request, deps, { typed: request.form, note, status: 400 });
    }
  },
};

/** Invites a person again, who lost the passkey or let the invitation end. */
export const reinviteRoute: ConsoleRoute<InviteDeps> = {
  kind: 'form',
  path: '/console/people/:id/invite',
  role: 'owner',
  again: async ({ root }) => redirectTo(root, 'console/people'),
  handle: async (request, deps) => {
    const people = await loadPeople(deps.store, request.viewer.organisation.organisationId);
    const person = presentPerson(people, readPersonId(request.params.id));
    if (person === null) throw new Refusal('NOT_FOUND', 'the organisation has no such person');
    return invited(request, deps, person);
  },
};

export function readRole(form: URLSearchParams): Role {
  const role = roles.find((each) => each === form.get('role'));
  if (role !== undefined) return role;
  throw new Refusal('INVALID_REQUEST', `role: must be one of ${roles.join(', ')}`);
}

async function invited(
  { viewer, root, site, meta }: FormRequest,
  deps: InviteDeps,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<Reply> {
  const { organisationId } = viewer.organisation;
  const made = await invitePerson(deps, { organisationId, email, role }, meta);
  const content = html`<h1>Send this link to ${email}</h1>
    <p class="lead">It holds once, until ${timeInHtml(made.expiresAt)}. Whoever opens it joins your
    organisation in this person's name, so send it by a way that you trust.</p>
    <div class="secret"><pre id="link" tabindex="0" aria-label="Link of the invitation">${invitationLink(site.url, made.invitation)}</pre>
      <button type="button" class="plain" data-copies="link" data-done="Copied" hidden>Copy the link</button></div>
    <p id="state" class="unseen" role="status"></p>
    <p><a href="${root}console/people">To all people</a></p>`;
  const page = { title: 'Invitation', content, root, viewer, place: 'people' } as const;
  return consoleReply({ ...page, status: 201 });
}
