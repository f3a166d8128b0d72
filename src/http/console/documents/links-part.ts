import type { z } from 'zod';
import type { DocumentData } from '../../../views/document-schema.ts';
import type { linkList } from '../../links/link-schema.ts';
import { listLinks } from '../../links/list-links.ts';
import type { ApiDeps } from '../console-api.ts';
import { tokenField } from '../console-page.ts';
import type { ViewRequest } from '../console-route.ts';
import { onceValue } from '../form-orders.ts';
import { type Html, html, timeInHtml } from '../html.ts';

type Deps = ApiDeps & { readonly newId: () => string };

type ShownLink = z.output<typeof linkList>['data'][number];

/** The links by which a proof is shared, and the form for another one. */
export async function linksPart(
  request: ViewRequest,
  deps: Deps,
  item: DocumentData,
  typed: URLSearchParams,
): Promise<Html> {
  const { proofId, blockchainStatus } = item;
  const asked = { params: { proofId } };
  const { data } = await deps.consoleApi.ask<z.output<typeof linkList>>(request, listLinks, asked);
  const isOwner = request.viewer.person.role === 'owner';
  const { root } = request;
  return html`<h2 id="links">Links to share</h2>
    <p class="hint">Everybody who has the address of a link sees the proof, without the file and the nonce.</p>
    ${
      data.length > 0
        ? html`<ul class="rows">${data.map((link) => row(link, root, isOwner))}</ul>`
        : html`<p>This proof is not shared.${!isOwner && ' An owner can share it.'}</p>`
    }
    ${isOwner && (blockchainStatus === 'completed' ? form(request, deps, item, typed) : html`<p class="hint">It can be shared once it is on the ledger.</p>`)}`;
}

function row({ id, proofId, ...link }: ShownLink, root: string, isOwner: boolean): Html {
  const shown = [
    link.showFileName ? 'shows the name of the file' : 'hides the name of the file',
    ...(link.allowIndexing ? ['search engines may list it'] : []),
  ].join(', ');
  return html`<li><p>Created ${timeInHtml(link.createdAt)}: ${shown}.
      ${link.expiresAt === null ? 'No end.' : html`Ends ${timeInHtml(link.expiresAt)}.`}</p>
      ${isOwner && html`<p><a href="${root}console/documents/${proofId}/links/${id}/withdraw">Withdraw<span class="unseen"> the link of ${link.createdAt}</span></a></p>`}</li>`;
}

function form(
  { viewer, root, token }: ViewRequest,
  { newId }: Pick<Deps, 'newId'>,
  { proofId, fileName }: Pick<DocumentData, 'proofId' | 'fileName'>,
  typed: URLSearchParams,
): Html {
  const checked = (name: string) => typed.has(name) && html` checked`;
  return html`<form method="post" action="${root}console/documents/${proofId}/links">
      ${tokenField(viewer.formToken)}
      <input type="hidden" name="once" value="${onceValue(token ?? '', newId())}">
      <fieldset><legend>New link</legend>
        <label class="choice"><input type="checkbox" name="showFileName" value="yes"${checked('showFileName')}${fileName !== null && html` aria-describedby="name-hint"`}>
          <span>Show the name of the file</span></label>
        ${fileName !== null && html`<p class="hint" id="name-hint">Without the name, the shared proof has no signature of its issuer, since the signature covers the name. Everything else can still be verified.</p>`}
        <label class="choice"><input type="checkbox" name="allowIndexing" value="yes"${checked('allowIndexing')}>
          <span>Search engines may list the page</span></label>
        <label for="expires">Last day (UTC)</label>
        <input id="expires" name="expires" type="date" value="${typed.get('expires') ?? ''}" aria-describedby="expires-hint">
        <p class="hint" id="expires-hint">Empty: the link holds until somebody withdraws it.</p>
        <p class="actions"><button>Create the link</button></p>
      </fieldset>
    </form>`;
}
