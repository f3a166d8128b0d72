import { queryWorkspaces } from '../../../../projections/workspaces/query.ts';
import { createWorkspace } from '../../../commands/create-workspace.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { OrganisationId } from '../../../domain/ulid.ts';
import { awaitPosition, type ReadDeps } from '../../../subscriptions/await-position.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, noteInHtml, redirectTo, sentence, tokenField } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { html } from '../html.ts';

type Deps = ReadDeps & { readonly newId: () => string };

/** Maximum number of workspaces that owners can create: they are read together. */
const maxWorkspaces = 1_000;

export const workspacesPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/workspaces',
  role: 'member',
  handle: (request, deps) => showWorkspaces(request, deps),
};

/** Creates a workspace by the command of the operator. */
export const createWorkspaceRoute: ConsoleRoute<Deps> = {
  kind: 'form',
  path: '/console/workspaces',
  role: 'owner',
  again: (request, deps) =>
    showWorkspaces(request, deps, { typed: request.form.get('name') ?? '', note: request.note }),
  handle: async (request, deps) => {
    const { organisationId } = request.viewer.organisation;
    const name = (request.form.get('name') ?? '').trim();
    try {
      if ((await readWorkspaces(deps, organisationId)).length >= maxWorkspaces) {
        const message = `the organisation has ${maxWorkspaces} workspaces, the maximum`;
        throw new Refusal('INVALID_REQUEST', message);
      }
      await createWorkspace(deps, { organisationId, name }, request.meta);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const note = sentence(error.message);
      return showWorkspaces(request, deps, { typed: name, note, status: 400 });
    }
    return redirectTo(request.root, 'console/workspaces');
  },
};

async function showWorkspaces(
  { viewer, root }: Pick<ViewRequest, 'viewer' | 'root'>,
  deps: Deps,
  {
    typed = '',
    note = null,
    status = 200,
  }: { readonly typed?: string; readonly note?: string | null; readonly status?: number } = {},
): Promise<Reply> {
  const workspaces = await readWorkspaces(deps, viewer.organisation.organisationId);
  const mayChange = viewer.person.role === 'owner';
  const content = html`<h1>Workspaces</h1>
    ${noteInHtml(note)}
    <p class="lead">A workspace holds documents and proofs. In each one, a file is proven once.</p>
    ${
      workspaces.length > 0 &&
      html`<ul class="cards">${workspaces.map(
        ({ _id, name }) =>
          html`<li class="card"><h2>${name}</h2><p><span class="hint">Id for the API:</span> <code>${_id}</code></p>
            ${mayChange && html`<p><a href="${root}console/workspaces/${_id}/rename">Rename<span class="unseen"> ${name}</span></a></p>`}</li>`,
      )}</ul>`
    }
    ${
      mayChange
        ? html`<h2>New workspace</h2>
    <form method="post" action="${root}console/workspaces">
      ${tokenField(viewer.formToken)}
      <label for="name">Name</label>
      <input id="name" name="name" required maxlength="255" value="${typed}">
      <p class="actions"><button>Create the workspace</button></p>
    </form>`
        : html`<p class="hint">Owners create workspaces.</p>`
    }`;
  return consoleReply({ title: 'Workspaces', content, root, viewer, place: 'workspaces', status });
}

/** The workspaces once the read model includes the organisation's latest change. */
export async function readWorkspaces(
  { db, store, signal }: ReadDeps,
  organisationId: OrganisationId,
) {
  const position = await store.lastPositionOf(organisationId);
  await awaitPosition(db, 'workspaces', position, { signal });
  return queryWorkspaces(db, organisationId);
}
