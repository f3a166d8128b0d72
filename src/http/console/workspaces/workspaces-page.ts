import {
  countWorkspaces,
  queryWorkspacePage,
  queryWorkspaces,
} from '../../../../projections/workspaces/query.ts';
import {
  type CreateOwnWorkspaceDeps,
  createOwnWorkspace,
} from '../../../commands/create-own-workspace.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { OrganisationId, WorkspaceId } from '../../../domain/ulid.ts';
import { awaitPosition, type ReadDeps } from '../../../subscriptions/await-position.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, noteInHtml, redirectTo, sentence, tokenField } from '../console-page.ts';
import type { ConsoleRoute, FormRequest, ViewRequest } from '../console-route.ts';
import { onceValue, readOnce } from '../form-orders.ts';
import { html } from '../html.ts';
import { pageLinks, pageNumber } from '../page-links.ts';

type PageDeps = ReadDeps & { readonly newId: () => string };
type Deps = PageDeps & Omit<CreateOwnWorkspaceDeps, 'countWorkspaces'>;

/** Workspaces on a page. */
const limit = 20;

export const workspacesPage: ConsoleRoute<PageDeps> = {
  kind: 'view',
  path: '/console/workspaces',
  role: 'member',
  handle: (request, deps) => showWorkspaces(request, deps),
};

const unsigned = 'Nothing was created yet: check the name, and send it again.';
const createdBefore =
  'This form created a workspace before, under another name. Nothing more was created: check the name, ' +
  'and send it again for a further workspace.';

/** Creates a workspace, once for each form. */
export const createWorkspaceRoute: ConsoleRoute<Deps> = {
  kind: 'form',
  path: '/console/workspaces',
  role: 'owner',
  again: (request, deps) =>
    showWorkspaces(request, deps, { typed: request.form.get('name') ?? '', note: request.note }),
  handle: async (request, deps) => {
    const { organisationId } = request.viewer.organisation;
    const typed = (request.form.get('name') ?? '').trim();
    const once = readOnce(request.token ?? '', request.form.get('once'));
    if (once === null) return showWorkspaces(request, deps, { typed, note: unsigned, status: 400 });
    const workspaceId = once as WorkspaceId;
    try {
      const counted = { ...deps, countWorkspaces: countOf(deps) };
      await createOwnWorkspace(counted, { organisationId, workspaceId, name: typed }, request.meta);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const before = (await readWorkspaces(deps, organisationId)).find(({ _id }) => _id === once);
      if (before === undefined) {
        return showWorkspaces(request, deps, { typed, note: sentence(error.message), status: 400 });
      }
      if (before.name !== typed) {
        return showWorkspaces(request, deps, { typed, note: createdBefore, status: 409 });
      }
    }
    return redirectToWorkspace(request, deps, workspaceId);
  },
};

/** Counts the workspaces once the read model includes the organisation's latest change. */
function countOf(deps: ReadDeps): CreateOwnWorkspaceDeps['countWorkspaces'] {
  return async (organisationId) => {
    await awaitWorkspaces(deps, organisationId);
    return countWorkspaces(deps.db, organisationId);
  };
}

/** Leads to the page of the list that has the workspace. */
export async function redirectToWorkspace(
  { viewer, root }: Pick<FormRequest, 'viewer' | 'root'>,
  deps: ReadDeps,
  workspaceId: string,
): Promise<Reply> {
  const workspaces = await readWorkspaces(deps, viewer.organisation.organisationId);
  const index = workspaces.findIndex(({ _id }) => _id === workspaceId);
  const page = 1 + Math.floor(Math.max(0, index) / limit);
  return redirectTo(root, `console/workspaces${page === 1 ? '' : `?page=${page}`}`);
}

async function showWorkspaces(
  { viewer, root, query, token }: Pick<ViewRequest, 'viewer' | 'root' | 'query' | 'token'>,
  deps: PageDeps,
  {
    typed = '',
    note = null,
    status = 200,
  }: { readonly typed?: string; readonly note?: string | null; readonly status?: number } = {},
): Promise<Reply> {
  const { organisationId } = viewer.organisation;
  const page = pageNumber(query);
  await awaitWorkspaces(deps, organisationId);
  const { items, total } = await queryWorkspacePage(deps.db, organisationId, { page, limit });
  const mayChange = viewer.person.role === 'owner';
  const content = html`<h1>Workspaces</h1>
    ${noteInHtml(note)}
    <p class="lead">A workspace holds documents and proofs. In each one, a file is proven once.</p>
    ${
      items.length > 0 &&
      html`<ul class="cards">${items.map(
        ({ _id, name }) =>
          html`<li class="card"><h2>${name}</h2><p><span class="hint">Id for the API:</span> <code>${_id}</code></p>
            ${mayChange && html`<p><a href="${root}console/workspaces/${_id}/rename">Rename<span class="unseen"> ${name}</span></a></p>`}</li>`,
      )}</ul>`
    }
    ${pageLinks({ path: `${root}console/workspaces`, page, limit, total })}
    ${
      mayChange
        ? html`<h2>New workspace</h2>
    <form method="post" action="${root}console/workspaces">
      ${tokenField(viewer.formToken)}
      <input type="hidden" name="once" value="${onceValue(token ?? '', deps.newId())}">
      <label for="name">Name</label>
      <input id="name" name="name" required maxlength="255" value="${typed}">
      <p class="actions"><button>Create the workspace</button></p>
    </form>`
        : html`<p class="hint">Owners create workspaces.</p>`
    }`;
  return consoleReply({ title: 'Workspaces', content, root, viewer, place: 'workspaces', status });
}

/** The workspaces once the read model includes the organisation's latest change. */
export async function readWorkspaces(deps: ReadDeps, organisationId: OrganisationId) {
  await awaitWorkspaces(deps, organisationId);
  return queryWorkspaces(deps.db, organisationId);
}

async function awaitWorkspaces(
  { db, store, signal }: ReadDeps,
  organisationId: OrganisationId,
): Promise<void> {
  const position = await store.lastPositionOf(organisationId);
  await awaitPosition(db, 'workspaces', position, { signal });
}
