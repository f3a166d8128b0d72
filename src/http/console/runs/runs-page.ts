import { runModes } from '../../../domain/run/report.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import type { RunData } from '../../../views/run-data.ts';
import { listRuns } from '../../runs/list-runs.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply, noteInHtml } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { grouped } from '../grouped.ts';
import { type Html, html } from '../html.ts';
import { type Listed, listedOrNote } from '../listed-or-note.ts';
import { pageLinks, pageNumber } from '../page-links.ts';
import { untrusted } from '../untrusted.ts';
import { type NamedWorkspace, workspaceChoice } from '../workspaces/workspace-choice.ts';
import { readWorkspaces } from '../workspaces/workspaces-page.ts';
import { dayBounds, dayFields } from './day-bounds.ts';
import { runLink, whenRun } from './run-words.ts';

type Deps = ApiDeps & ReadDeps;

const limit = 20;
const filters = ['workspace', 'mode', 'objective', 'protectedOnly', 'from', 'to'] as const;

/** The runs (sweeps) of agents, with the filters of the API. */
export const runsPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/runs',
  role: 'member',
  handle: async (request, deps) => {
    const { viewer, root, query } = request;
    const page = pageNumber(query);
    const given = Object.fromEntries(filters.map((name) => [name, query.get(name) ?? '']));
    const paged = { ...given, ...dayBounds(query), page: String(page), limit: String(limit) };
    const { items, total, note } = await listedOrNote(() =>
      deps.consoleApi.ask<Listed<RunData>>(request, listRuns, { query: paged }),
    );
    const isFiltered = filters.some((name) => given[name] !== '');
    const workspaces = await readWorkspaces(deps, viewer.organisation.organisationId);
    const content = html`<div class="heading"><h1>Agent runs</h1>
        ${(total > 0 || isFiltered) && html`<a href="${root}console/runs/decisions">All decisions</a>`}</div>
      <p class="lead">An agent reports each of its sweeps over files: what it looked at, what it decided,
      and what it protected. The newest come first.</p>
      ${(total > 0 || isFiltered) && filterForm(query, workspaces)}
      ${noteInHtml(note)}
      ${
        items.length > 0
          ? html`<p class="count">${total === 1 ? '1 run' : `${grouped(total)} runs`}</p>
            <ul class="rows">${items.map((run) => row(run, root))}</ul>`
          : note === null && nothing(request, isFiltered || page > 1)
      }
      ${pageLinks({ path: `${root}console/runs`, query, page, limit, total })}`;
    const status = note === null ? 200 : 400;
    return consoleReply({ title: 'Agent runs', content, root, viewer, place: 'runs', status });
  },
};

function row(run: RunData, root: string): Html {
  const { runId, mode, objective, noOp, decisionsReported } = run;
  return html`<li>
      <h2>${runLink(runId, root)}</h2>
      <p><span class="badge${!noOp && html` badge-completed`}">${noOp ? 'protected nothing' : 'protected files'}</span>
        ${mode !== null && html`<span class="badge">${mode}</span>`} ${whenRun(run)}</p>
      <p class="hint">${objective !== null && html`${untrusted(objective, 120)} · `}${grouped(decisionsReported)} ${decisionsReported === 1 ? 'decision' : 'decisions'}</p>
    </li>`;
}

function filterForm(query: URLSearchParams, workspaces: readonly NamedWorkspace[]): Html {
  const value = (name: string) => query.get(name) ?? '';
  return html`<form class="filters" role="search" method="get">
      ${workspaceChoice(workspaces, value('workspace'))}
      <div><label for="mode">Mode</label>
        <select id="mode" name="mode"><option value="">All</option>
          ${runModes.map((mode) => html`<option${value('mode') === mode && html` selected`}>${mode}</option>`)}</select></div>
      <div><label for="objective">Objective, as a whole</label>
        <input id="objective" name="objective" maxlength="4000" value="${value('objective')}"></div>
      ${dayFields(query)}
      <label class="choice wide"><input type="checkbox" name="protectedOnly" value="true"${value('protectedOnly') === 'true' && html` checked`}>
        <span>Only runs that protected something</span></label>
      <p class="actions"><button>Search</button></p>
    </form>`;
}

/** Says what to do next. */
function nothing({ viewer, root }: ViewRequest, isFiltered: boolean): Html {
  if (isFiltered) {
    return html`<p class="empty">No run matches. <a href="${root}console/runs">Show all runs</a>.</p>`;
  }
  return html`<div class="empty"><h2>No agent has reported a run</h2>
      <p>Give your agent a key of its own, which can never manage keys, webhooks or links. It reports a run
      with <code>POST /agent/runs</code>, or with the tools at <code>/mcp</code>.</p>
      <p>${viewer.person.role === 'owner' ? html`<a href="${root}console/keys/new">Create a key for an agent</a>` : 'An owner can create the key.'}
      · <a href="${root}reference">Reference of the API</a></p></div>`;
}
