import { loadWebhook } from '../../../loading/load-webhook.ts';
import type { Reply } from '../../reply.ts';
import { readWebhook } from '../../webhooks/view-webhook.ts';
import type { WebhookData } from '../../webhooks/webhook-schema.ts';
import { apiAccessNote } from '../api-access-note.ts';
import { consoleReply, noteInHtml, tokenField } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { untrusted } from '../untrusted.ts';
import { deliveriesPart } from './deliveries-part.ts';
import { webhookAddress } from './webhook-address.ts';
import { ownWebhook } from './webhook-params.ts';

/** Dependencies of the page of an endpoint. */
export type WebhookDeps = Parameters<typeof readWebhook>[0] & Parameters<typeof deliveriesPart>[1];

/** An endpoint with its deliveries. */
export const webhookPage: ConsoleRoute<WebhookDeps> = {
  kind: 'view',
  path: '/console/webhooks/:id',
  role: 'member',
  handle: (request, deps) => showWebhook(request, deps),
};

/** Shows an endpoint, with a sentence about what was just done. Refuses with WEBHOOK_NOT_FOUND. */
export async function showWebhook(
  request: ViewRequest,
  deps: WebhookDeps,
  {
    typed = new URLSearchParams(),
    note = null,
    outcome = null,
    status = 200,
  }: {
    /** Fields of the form that sends deliveries again. */
    readonly typed?: URLSearchParams;
    readonly note?: string | null;
    /** Result of what was done, for screen readers too. */
    readonly outcome?: string | null;
    readonly status?: number;
  } = {},
): Promise<Reply> {
  const { viewer, root } = request;
  const of = ownWebhook(request);
  const webhook = await readWebhook(deps, of);
  const { state } = await loadWebhook(deps.store, of);
  const reason = state.status === 'disabled' ? state.reason : null;
  const isOwner = viewer.person.role === 'owner';
  const { description } = webhook;
  const content = html`<p class="up"><a href="${root}console/webhooks">Webhooks</a></p>
    <h1>${description === null ? 'Endpoint' : untrusted(description, 255)}</h1>
    ${noteInHtml(note)}
    ${outcome !== null && html`<p class="note" role="status">${outcome}</p>`}
    <dl class="card">
      <div><dt>State</dt><dd><span class="badge badge-${webhook.status}">${webhook.status}</span>
        ${reason !== null && reasons[reason]}</dd></div>
      <div><dt>Address</dt><dd>${webhookAddress(webhook.url, viewer)}</dd></div>
      <div><dt>Listens to</dt><dd>${webhook.events.map((kind) => html`<code>${kind}</code> `)}</dd></div>
      <div><dt>Registered</dt><dd>${timeInHtml(webhook.createdAt)}</dd></div>
      ${webhook.disabledAt !== null && html`<div><dt>Disabled</dt><dd>${timeInHtml(webhook.disabledAt)}</dd></div>`}
      <div><dt>Id</dt><dd><code>${webhook.id}</code></dd></div>
    </dl>
    ${isOwner && apiAccessNote(viewer, 'the endpoint can be disabled and deleted, and its secret rotated.')}
    ${isOwner && actions(webhook, request)}
    ${await deliveriesPart(request, deps, webhook, typed)}`;
  return consoleReply({ title: 'Endpoint', content, root, viewer, place: 'webhooks', status });
}

const reasons = {
  caller: 'by your organisation',
  gone: 'because it answered 410 Gone',
  failing:
    'because every delivery failed for 5 days; correct the endpoint, enable it, and send again what failed',
} as const;

function actions({ id, status }: WebhookData, { viewer, root }: ViewRequest): Html {
  const path = `${root}console/webhooks/${id}`;
  const other = status === 'active' ? 'disabled' : 'active';
  return html`<form method="post" class="row" action="${path}/test">
      ${tokenField(viewer.formToken)}
      <input type="hidden" name="status" value="${other}">
      <button>Send a test</button>
      <button class="plain" formaction="${path}/status">${status === 'active' ? 'Disable' : 'Enable'}</button>
      <a href="${path}/change">Change</a>
      <a href="${path}/rotate">Rotate the secret</a>
      <a href="${path}/delete">Delete</a>
    </form>`;
}
