import type { z } from 'zod';
import { Refusal } from '../../../domain/refusal.ts';
import { parseInput } from '../../input.ts';
import { deleteLink } from '../../links/delete-link.ts';
import type { linkList } from '../../links/link-schema.ts';
import { listLinks } from '../../links/list-links.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply, redirectTo, tokenField } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { html, timeInHtml } from '../html.ts';
import { linkParams } from './proof-params.ts';

const path = '/console/documents/:id/links/:linkId/withdraw';

/** Asks before a link is withdrawn. */
export const confirmWithdrawalPage: ConsoleRoute<ApiDeps> = {
  kind: 'view',
  path,
  role: 'owner',
  handle: async (request, deps) => {
    const { viewer, root, params } = request;
    const { id: proofId, linkId } = parseInput(linkParams, params);
    type Links = z.output<typeof linkList>;
    const asked = { params: { proofId } };
    const { data } = await deps.consoleApi.ask<Links>(request, listLinks, asked);
    const link = data.find(({ id }) => id === linkId);
    if (link === undefined) throw new Refusal('LINK_NOT_FOUND', 'the proof has no such link');
    const content = html`<h1>Withdraw this link?</h1>
      <p class="lead">It was created ${timeInHtml(link.createdAt)}. Its page says at once that the proof is no
      longer shared. This cannot be undone. Copies that people have saved stay with them.</p>
      <form method="post" action="${root}console/documents/${proofId}/links/${linkId}/withdraw">
        ${tokenField(viewer.formToken)}
        <p class="actions"><button class="danger">Withdraw the link</button>
          <a href="${root}console/documents/${proofId}">Cancel</a></p>
      </form>`;
    return consoleReply({ title: 'Withdraw a link', content, root, viewer, place: 'documents' });
  },
};

/** Withdraws a link by the call of the API. A link that was withdrawn meanwhile stays withdrawn. */
export const withdrawLinkRoute: ConsoleRoute<ApiDeps> = {
  kind: 'form',
  path,
  role: 'owner',
  again: async ({ root, params }) => {
    const { id, linkId } = parseInput(linkParams, params);
    return redirectTo(root, `console/documents/${id}/links/${linkId}/withdraw`);
  },
  handle: async (request, deps) => {
    const { id: proofId, linkId } = parseInput(linkParams, request.params);
    await deps.consoleApi.ask(request, deleteLink, { params: { proofId, linkId } });
    return redirectTo(request.root, `console/documents/${proofId}`);
  },
};
