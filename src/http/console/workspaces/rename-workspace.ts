import { renameWorkspace } from '../../../commands/rename-workspace.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { streams } from '../../../domain/streams.ts';
import { isUlid, type WorkspaceId } from '../../../domain/ulid.ts';
import { workspaceDecider } from '../../../domain/workspace/decider.ts';
import { ChangedMeanwhile } from '../../../event-store/handling/handle.ts';
import { load } from '../../../event-store/handling/load.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, noteInHtml, sentence, tokenField } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { html } from '../html.ts';
import { changedMeanwhile, readSeen, seenField } from '../seen-version.ts';
import { readWorkspaces, redirectToWorkspace } from './workspaces-page.ts';

const path = '/console/workspaces/:id/rename';

export const renamePage: ConsoleRoute<ReadDeps> = {
  kind: 'view',
  path,
  role: 'owner',
  handle: (request, deps) => showForm(request, deps),
};

export const renameRoute: ConsoleRoute<ReadDeps> = {
  kind: 'form',
  path,
  role: 'owner',
  again: (request, deps) => {
    const { form, note } = request;
    return showForm(request, deps, { typed: form.get('name') ?? '', seen: readSeen(form), note });
  },
  handle: async (request, deps) => {
    const { organisationId } = request.viewer.organisation;
    const name = (request.form.get('name') ?? '').trim();
    const seen = readSeen(request.form);
    try {
      const workspaceId = readWorkspaceId(request.params.id);
      await renameWorkspace(deps.store, { organisationId, workspaceId, name }, request.meta, seen);
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        return showForm(request, deps, { typed: name, note: changedMeanwhile, status: 409 });
      }
      if (!(error instanceof Refusal) || error.code !== 'INVALID_REQUEST') throw error;
      const note = sentence(error.message);
      return showForm(request, deps, { typed: name, seen, note, status: 400 });
    }
    return redirectToWorkspace(request, deps, request.params.id ?? '');
  },
};

/**
 * The form, with the present name or what was typed. `seen`: the version that the form was made from,
 * if the person has not seen the present one. Refuses with NOT_FOUND.
 */
async function showForm(
  { viewer, root, params }: Pick<ViewRequest, 'viewer' | 'root' | 'params'>,
  deps: ReadDeps,
  {
    typed = null,
    seen = null,
    note = null,
    status = 200,
  }: {
    readonly typed?: string | null;
    readonly seen?: number | null;
    readonly note?: string | null;
    readonly status?: number;
  } = {},
): Promise<Reply> {
  const workspaceId = readWorkspaceId(params.id);
  const { version } = await load(deps.store, streams.workspace(workspaceId), workspaceDecider);
  const workspaces = await readWorkspaces(deps, viewer.organisation.organisationId);
  const workspace = workspaces.find(({ _id }) => _id === workspaceId);
  if (workspace === undefined) throw noSuchWorkspace();
  const content = html`<h1>Rename “${workspace.name}”</h1>
    ${noteInHtml(note)}
    <p class="lead">Its id stays, so programs notice nothing. Certificates that were issued stay as they are.</p>
    <form method="post" action="${root}console/workspaces/${workspaceId}/rename">
      ${tokenField(viewer.formToken)}${seenField(seen ?? version)}
      <label for="name">New name</label>
      <input id="name" name="name" required maxlength="255" value="${typed ?? workspace.name}">
      <p class="actions"><button>Rename the workspace</button> <a href="${root}console/workspaces">Cancel</a></p>
    </form>`;
  const page = { title: 'Rename a workspace', content, root, viewer, status };
  return consoleReply({ ...page, place: 'workspaces' });
}

function readWorkspaceId(text = ''): WorkspaceId {
  if (!isUlid(text)) throw noSuchWorkspace();
  return text as WorkspaceId;
}

function noSuchWorkspace(): Refusal {
  return new Refusal('NOT_FOUND', 'the organisation has no such workspace');
}
