import { isUlid } from '../../../domain/ulid.ts';
import { listDecisions } from '../../runs/list-decisions.ts';
import type { ApiDeps } from '../console-api.ts';
import { noteInHtml } from '../console-page.ts';
import type { ViewRequest } from '../console-route.ts';
import { grouped } from '../grouped.ts';
import { type Html, html } from '../html.ts';
import { type Listed, listedOrNote } from '../listed-or-note.ts';
import { pageLinks, pageNumber } from '../page-links.ts';
import { untrusted, untrustedJson } from '../untrusted.ts';
import { runLink } from './run-words.ts';

/** A decision of an agent: members of its own form, and the run. */
type ShownDecision = Readonly<Record<string, unknown>> & { readonly runId: string };

const limit = 20;
/** Characters of the whole decision that the page shows. */
const mostCharacters = 1_500;

/** A page of decisions that match the filters of the API. `path`: address of the page itself. */
export async function decisionsPart(
  request: ViewRequest,
  deps: ApiDeps,
  {
    query: filters,
    path,
    showsRun = false,
  }: {
    readonly query: Readonly<Record<string, string>>;
    readonly path: string;
    readonly showsRun?: boolean;
  },
): Promise<Html> {
  const { query, root } = request;
  const page = pageNumber(query);
  const paged = { ...filters, page: String(page), limit: String(limit) };
  const { items, total, note } = await listedOrNote(() =>
    deps.consoleApi.ask<Listed<ShownDecision>>(request, listDecisions, { query: paged }),
  );
  return html`${noteInHtml(note)}
    ${
      items.length > 0
        ? html`<p class="count">${total === 1 ? '1 decision' : `${grouped(total)} decisions`}</p>
          <ul class="rows">${items.map((decision) => row(decision, root, showsRun))}</ul>`
        : note === null && html`<p class="empty">No decision${showsRun ? ' matches.' : '.'}</p>`
    }
    ${pageLinks({ path, query, page, limit, total })}`;
}

function row({ runId, ...decision }: ShownDecision, root: string, showsRun: boolean): Html {
  const { subject, action, reason, proofId } = decision;
  return html`<li><p>${action !== undefined && html`<span class="badge">${untrustedJson(action, 60)}</span>`}
        ${subject === undefined ? html`without a subject` : untrustedJson(subject, 200)}</p>
      ${reason !== undefined && html`<p class="hint">${untrustedJson(reason, 400)}</p>`}
      ${typeof proofId === 'string' && isUlid(proofId) && html`<p><a href="${root}console/documents/${proofId}">Proof ${proofId}</a></p>`}
      ${showsRun && html`<p class="hint">Run ${runLink(runId, root)}</p>`}
      <details><summary>The whole decision</summary><pre>${untrusted(JSON.stringify(decision, null, 2), mostCharacters)}</pre></details></li>`;
}
