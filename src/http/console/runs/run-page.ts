import { queryRuns } from '../../../../projections/agent-runs/query-runs.ts';
import {
  countDocumentsOfRun,
  queryDocumentsOfRun,
} from '../../../../projections/documents/query.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { RunId } from '../../../domain/run/run-id.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import { viewDocument } from '../../../views/document-view.ts';
import type { RunData } from '../../../views/run-data.ts';
import { viewRun } from '../../../views/run-view.ts';
import { awaitDocuments } from '../../documents/find-document.ts';
import { runId as runIdField } from '../../fields.ts';
import { awaitRuns } from '../../runs/run-query.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { fileTitle, stateBadge } from '../documents/proof-state.ts';
import { grouped } from '../grouped.ts';
import { type Html, html } from '../html.ts';
import { pageLinks, pageNumber } from '../page-links.ts';
import { untrusted, untrustedJson } from '../untrusted.ts';
import { decisionsPart } from './decisions-part.ts';
import { statedTime } from './run-words.ts';

type Deps = ApiDeps & ReadDeps & Parameters<typeof viewDocument>[0];

const limit = 20;

/** A run with its report, what it protected and its decisions. */
export const runPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/runs/run',
  role: 'member',
  handle: async (request, deps) => {
    const { viewer, root, query } = request;
    const run = await readRun(request, deps);
    const content = html`<p class="up"><a href="${root}console/runs">Agent runs</a></p>
      <h1>${untrusted(run.runId, 128)}</h1>
      <p><span class="badge${!run.noOp && html` badge-completed`}">${run.noOp ? 'protected nothing' : 'protected files'}</span>
        ${run.mode !== null && html`<span class="badge">${run.mode}</span>`}</p>
      ${report(run)}
      ${await protectedPart(request, deps, run)}
      <h2>Decisions</h2>
      ${run.decisionsTruncated && html`<p class="hint">The agent sent ${grouped(run.decisionsReported)} decisions. The first 5,000 are stored.</p>`}
      ${await decisionsPart(request, deps, { query: { runId: run.runId, action: query.get('action') ?? '' }, path: `${root}console/runs/run` })}`;
    return consoleReply({ title: 'Agent run', content, root, viewer, place: 'runs' });
  },
};

/** The run that the query names. Refuses with RUN_NOT_FOUND. */
async function readRun({ viewer, query }: ViewRequest, deps: Deps): Promise<RunData> {
  const { organisationId } = viewer.organisation;
  const { data: runId } = runIdField.safeParse(query.get('id') ?? '');
  if (runId === undefined) throw noSuchRun();
  await awaitRuns(deps, organisationId, undefined);
  const asked = { organisationId, runId: runId as RunId, page: 1, limit: 1 };
  const [run] = (await queryRuns(deps.db, asked)).items;
  if (run === undefined) throw noSuchRun();
  return viewRun(run);
}

function noSuchRun(): Refusal {
  return new Refusal('RUN_NOT_FOUND', 'there is no such run in this organisation');
}

/** The report of the agent. Values of the agent's own form are shown as JSON. */
function report(run: RunData): Html {
  const own = [
    ['Trigger', run.trigger],
    ['Counts', run.counts],
    ['Coverage', run.coverage],
    ['Connectors reached', run.connectorsReached],
    ['Connectors unreachable', run.connectorsUnreachable],
    ['Unreadable groups', run.unreadableGroups],
    ['Network', run.network],
  ] as const;
  const { objective, startedAt, finishedAt } = run;
  return html`<dl class="card">
      ${objective !== null && html`<div><dt>Objective</dt><dd>${untrusted(objective, 1_000)}</dd></div>`}
      ${startedAt !== null && html`<div><dt>Started</dt><dd>${statedTime(startedAt)}</dd></div>`}
      ${finishedAt !== null && html`<div><dt>Finished</dt><dd>${statedTime(finishedAt)}</dd></div>`}
      ${own.map(([name, value]) => !isBlank(value) && html`<div><dt>${name}</dt><dd>${untrustedJson(value, 1_000)}</dd></div>`).filter((each) => each !== false)}
      <div><dt>Decisions</dt><dd>${grouped(run.decisionsReported)}</dd></div>
    </dl>
    <p class="hint">As the agent reported it. Times are those of the agent.</p>`;
}

function isBlank(value: unknown): boolean {
  return value == null || ['{}', '[]', '""'].includes(JSON.stringify(value));
}

/** The documents whose classification names the run. */
async function protectedPart(
  { viewer, query, root }: ViewRequest,
  deps: Deps,
  { runId, noOp }: RunData,
): Promise<Html> {
  const { organisationId } = viewer.organisation;
  await awaitDocuments(deps, organisationId);
  const page = pageNumber(query, 'documents');
  const total = await countDocumentsOfRun(deps.db, organisationId, runId);
  const records = await queryDocumentsOfRun(deps.db, organisationId, runId, { page, limit });
  const items = await Promise.all(records.map((record) => viewDocument(deps, record)));
  const path = `${root}console/runs/run`;
  const rows = items.map(
    (item) => html`<li><p><a href="${root}console/documents/${item.proofId}">${fileTitle(item)}</a>
        ${stateBadge(item)}</p></li>`,
  );
  return html`<h2>What was protected</h2>
    ${
      rows.length > 0
        ? html`<p class="count">${total === 1 ? '1 document' : `${grouped(total)} documents`}</p><ul class="rows">${rows}</ul>`
        : html`<p class="hint">${noOp ? 'Nothing, as far as the run says.' : 'No stored document names this run.'} An agent names it in
          <code>agentClassification</code> when it uploads a file. Its decisions may name proofs of hashes.</p>`
    }
    ${pageLinks({ path, query, page, limit, total, parameter: 'documents' })}`;
}
