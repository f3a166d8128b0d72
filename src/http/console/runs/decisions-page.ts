import { runModes } from '../../../domain/run/report.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { type Html, html } from '../html.ts';
import { type NamedWorkspace, workspaceChoice } from '../workspaces/workspace-choice.ts';
import { readWorkspaces } from '../workspaces/workspaces-page.ts';
import { dayBounds, dayFields } from './day-bounds.ts';
import { decisionsPart } from './decisions-part.ts';

type Deps = ApiDeps & ReadDeps;

const texts = [
  ['runId', 'Run'],
  ['objective', 'Objective, as a whole'],
  ['action', 'Action'],
  ['fileHash', 'Hash of the file'],
  ['proofId', 'Proof id'],
] as const;

/** The decisions of all agent runs, with the filters of the API. */
export const decisionsPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/runs/decisions',
  role: 'member',
  handle: async (request, deps) => {
    const { viewer, root, query } = request;
    const names = ['workspace', 'mode', ...texts.map(([name]) => name)];
    const given = Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
    const workspaces = await readWorkspaces(deps, viewer.organisation.organisationId);
    const filters = { ...given, ...dayBounds(query) };
    const path = `${root}console/runs/decisions`;
    const content = html`<p class="up"><a href="${root}console/runs">Agent runs</a></p>
      <h1>Decisions</h1>
      <p class="lead">What agents decided about single files, in all runs. Those of the newest run come first.</p>
      ${filterForm(query, workspaces)}
      ${await decisionsPart(request, deps, { query: filters, path, showsRun: true })}`;
    return consoleReply({ title: 'Decisions', content, root, viewer, place: 'runs' });
  },
};

function filterForm(query: URLSearchParams, workspaces: readonly NamedWorkspace[]): Html {
  const value = (name: string) => query.get(name) ?? '';
  return html`<form class="filters" role="search" method="get">
      ${workspaceChoice(workspaces, value('workspace'))}
      <div><label for="mode">Mode</label>
        <select id="mode" name="mode"><option value="">All</option>
          ${runModes.map((mode) => html`<option${value('mode') === mode && html` selected`}>${mode}</option>`)}</select></div>
      ${texts.map(
        ([name, label]) =>
          html`<div><label for="${name}">${label}</label>
            <input id="${name}" name="${name}" maxlength="4000" value="${value(name)}"></div>`,
      )}
      ${dayFields(query)}
      <p class="actions"><button>Search</button></p>
    </form>`;
}
