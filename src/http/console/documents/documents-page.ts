import { blockchainStatuses } from '../../../../projections/documents/blockchain-status.ts';
import type { ReadDeps } from '../../../subscriptions/await-position.ts';
import type { DocumentData } from '../../../views/document-schema.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply, noteInHtml } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { grouped } from '../grouped.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { type Listed, listedOrNote } from '../listed-or-note.ts';
import { pageLinks, pageNumber } from '../page-links.ts';
import { untrusted } from '../untrusted.ts';
import { type NamedWorkspace, workspaceChoice } from '../workspaces/workspace-choice.ts';
import { readWorkspaces } from '../workspaces/workspaces-page.ts';
import { fileTitle, stateBadge, stateWord } from './proof-state.ts';

type Deps = ApiDeps & ReadDeps;

const limit = 20;
const filters = ['search', 'workspace', 'blockchainStatus'] as const;

/** The proofs of the organisation, with the filters of the API. */
export const documentsPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/documents',
  role: 'member',
  handle: async (request, deps) => {
    const { viewer, root, query } = request;
    const page = pageNumber(query);
    const asked = Object.fromEntries(filters.map((name) => [name, query.get(name) ?? '']));
    const paged = { ...asked, page: String(page), limit: String(limit) };
    const { items, total, note } = await listedOrNote(() =>
      deps.consoleApi.ask<Listed<DocumentData>>(request, listDocuments, { query: paged }),
    );
    const workspaces = await readWorkspaces(deps, viewer.organisation.organisationId);
    const isFiltered = filters.some((name) => asked[name] !== '');
    const nameOf = new Map<string, string>(workspaces.map(({ _id, name }) => [_id, name]));
    const content = html`<h1>Documents</h1>
      <p class="lead">Everything that your organisation has proven: uploaded files, and hashes of files
      that never left their owners. The newest come first.</p>
      ${(total > 0 || isFiltered) && filterForm(query, workspaces)}
      ${noteInHtml(note)}
      ${
        items.length > 0
          ? html`<p class="count">${counted(total)}</p>
            <ul class="rows">${items.map((item) => row(item, nameOf, root))}</ul>`
          : note === null && nothing(request, isFiltered, page)
      }
      ${pageLinks({ path: `${root}console/documents`, query, page, limit, total })}`;
    const status = note === null ? 200 : 400;
    return consoleReply({ title: 'Documents', content, root, viewer, place: 'documents', status });
  },
};

function counted(total: number): string {
  return total === 1 ? '1 proof' : `${grouped(total)} proofs`;
}

function row(item: DocumentData, nameOf: ReadonlyMap<string, string>, root: string): Html {
  const { proofId, timestamp, requestedAt, revision, documentId } = item;
  return html`<li>
      <h2><a href="${root}console/documents/${proofId}">${fileTitle(item)}</a></h2>
      <p>${stateBadge(item)}
        ${revision !== null && revision > 1 && html`<span class="badge">revision ${revision}</span>`}
        ${documentId === null && html`<span class="badge">hash only</span>`}
        ${timeInHtml(timestamp ?? requestedAt)} · ${untrusted(nameOf.get(item.workspace) ?? item.workspace, 80)}</p>
    </li>`;
}

function filterForm(query: URLSearchParams, workspaces: readonly NamedWorkspace[]): Html {
  const value = (name: (typeof filters)[number]) => query.get(name) ?? '';
  const option = (name: (typeof filters)[number], given: string, text: string) =>
    html`<option value="${given}"${value(name) === given && html` selected`}>${text}</option>`;
  return html`<form class="filters" role="search" method="get">
      <div class="wide"><label for="search">Search</label>
        <input id="search" name="search" type="search" maxlength="500" value="${value('search')}" aria-describedby="search-hint">
        <p class="hint" id="search-hint">Words of the name or description, or a whole hash, transaction or id.</p></div>
      ${workspaceChoice(workspaces, value('workspace'))}
      <div><label for="status">State</label>
        <select id="status" name="blockchainStatus">${option('blockchainStatus', '', 'All')}
          ${blockchainStatuses.map((status) => option('blockchainStatus', status, `${stateWord(status)} (${status})`))}</select></div>
      <p class="actions"><button>Search</button></p>
    </form>`;
}

/** Says what to do next. */
function nothing({ viewer, root }: ViewRequest, isFiltered: boolean, page: number): Html {
  if (isFiltered || page > 1) {
    return html`<p class="empty">Nothing matches. <a href="${root}console/documents">Show all documents</a>.</p>`;
  }
  const next =
    viewer.person.role === 'owner'
      ? html`<a href="${root}console/prove">Prove your first files</a> in this browser, or <a href="${root}console/keys/new">create an API key</a> for a program.`
      : html`An owner of your organisation can create an API key for a first proof.`;
  return html`<div class="empty"><h2>Nothing is proven yet</h2>
      <p>A proof shows that a file existed, unchanged, no later than a moment on the ledger.</p>
      <p>${next}</p></div>`;
}
