import { changeRole } from '../../../commands/change-role.ts';
import { removePerson } from '../../../commands/remove-person.ts';
import { requirePerson } from '../../../domain/person/state.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { consoleReply, redirectTo, sentence, tokenField } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { html } from '../html.ts';
import { endSessionsOf, type SessionDeps } from '../sessions.ts';
import { readRole } from './invite.ts';
import { type PeopleDeps, showPeople } from './people-page.ts';
import { readPersonId } from './read-person-id.ts';

export const changeRoleRoute: ConsoleRoute<PeopleDeps> = {
  kind: 'form',
  path: '/console/people/:id/role',
  role: 'owner',
  again: async ({ root }) => redirectTo(root, 'console/people'),
  handle: async (request, deps) => {
    const { viewer, root, params, form, meta } = request;
    const { organisationId } = viewer.organisation;
    try {
      const order = { organisationId, personId: readPersonId(params.id), role: readRole(form) };
      await changeRole(deps.store, order, meta);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'INVALID_REQUEST') throw error;
      return showPeople(request, deps, { note: sentence(error.message), status: 400 });
    }
    return redirectTo(root, 'console/people');
  },
};

const path = '/console/people/:id/remove';

/** Asks before a person is removed. */
export const confirmRemovalPage: ConsoleRoute<PeopleDeps> = {
  kind: 'view',
  path,
  role: 'owner',
  handle: async ({ viewer, root, params }, deps) => {
    const people = await deps.people(viewer.organisation.organisationId);
    const person = requirePerson(people, readPersonId(params.id));
    const content = html`<h1>Remove ${person.name ?? person.email}?</h1>
      <p class="lead">The person is signed out everywhere, and can no longer sign in. The keys that
      this person created stay valid: revoke them too if they are no longer trusted.</p>
      <form method="post" action="${root}console/people/${person.personId}/remove">
        ${tokenField(viewer.formToken)}
        <p class="actions"><button class="danger">Remove the person</button> <a href="${root}console/people">Cancel</a></p>
      </form>`;
    return consoleReply({ title: 'Remove a person', content, root, viewer, place: 'people' });
  },
};

export const removePersonRoute: ConsoleRoute<PeopleDeps & SessionDeps> = {
  kind: 'form',
  path,
  role: 'owner',
  again: async ({ root, params }) =>
    redirectTo(root, `console/people/${readPersonId(params.id)}/remove`),
  handle: async (request, deps) => {
    const { organisationId } = request.viewer.organisation;
    const personId = readPersonId(request.params.id);
    try {
      await removePerson(deps.store, { organisationId, personId }, request.meta);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'INVALID_REQUEST') throw error;
      return showPeople(request, deps, { note: sentence(error.message), status: 400 });
    }
    await endSessionsOf(deps, { organisationId, personId });
    return redirectTo(request.root, 'console/people');
  },
};
