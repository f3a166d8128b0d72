import { listWebhooks } from '../../webhooks/list-webhooks.ts';
import type { WebhookData } from '../../webhooks/webhook-schema.ts';
import { apiAccessNote } from '../api-access-note.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { untrusted } from '../untrusted.ts';
import { webhookAddress } from './webhook-address.ts';

/** The webhook endpoints of the organisation; it can have at most 20. */
export const webhooksPage: ConsoleRoute<ApiDeps> = {
  kind: 'view',
  path: '/console/webhooks',
  role: 'member',
  handle: async (request, deps) => {
    const { viewer, root } = request;
    type List = { readonly data: readonly WebhookData[] };
    const { data } = await deps.consoleApi.ask<List>(request, listWebhooks);
    const isOwner = viewer.person.role === 'owner';
    const content = html`<div class="heading"><h1>Webhooks</h1>
        ${isOwner && html`<a class="button" href="${root}console/webhooks/new">New endpoint</a>`}</div>
      <p class="lead">The service tells your programs what happened: it posts each event, signed, to the
      endpoints that listen.</p>
      ${isOwner && apiAccessNote(viewer, 'endpoints can be disabled and deleted, and their secrets rotated.')}
      ${data.length === 0 ? nothing(isOwner, root) : html`<ul class="cards">${data.map((one) => card(one, request))}</ul>`}`;
    return consoleReply({ title: 'Webhooks', content, root, viewer, place: 'webhooks' });
  },
};

function nothing(isOwner: boolean, root: string): Html {
  return html`<div class="empty"><h2>No endpoint listens</h2>
      <p>With a webhook, the service tells your program when a proof is on the ledger. The program need not ask.</p>
      <p>${isOwner ? html`<a href="${root}console/webhooks/new">Register an endpoint</a>, and send it a test.` : 'An owner can register one.'}</p></div>`;
}

function card(webhook: WebhookData, { viewer, root }: ViewRequest): Html {
  const { id, url, description, status, events, lastDelivery } = webhook;
  const last =
    lastDelivery === null
      ? html`none yet`
      : html`<span class="badge badge-${lastDelivery.status}">${lastDelivery.status}</span> ${timeInHtml(lastDelivery.lastAttemptAt ?? lastDelivery.createdAt)}`;
  return html`<li class="card">
      <h2><a href="${root}console/webhooks/${id}">${description === null ? 'Endpoint without a name' : untrusted(description, 255)}</a></h2>
      <p><span class="badge badge-${status}">${status}</span> ${webhookAddress(url, viewer)}</p>
      <dl>
        <div><dt>Listens to</dt><dd>${events.map((kind) => html`<code>${kind}</code> `)}</dd></div>
        <div><dt>Last delivery</dt><dd>${last}</dd></div>
      </dl>
    </li>`;
}
