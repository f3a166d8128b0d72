import type { Reply } from '../../reply.ts';
import { consoleReply } from '../console-page.ts';
import type { FormRequest } from '../console-route.ts';
import { type Html, html } from '../html.ts';
import { copiedState, shownSecret } from '../shown-secret.ts';

/** Shows the secret of an endpoint, once. */
export function secretPage(
  { viewer, root }: FormRequest,
  {
    webhookId,
    secret,
    title,
    note = null,
    status = 200,
  }: {
    readonly webhookId: string;
    readonly secret: string;
    readonly title: string;
    readonly note?: Html | null;
    readonly status?: number;
  },
): Reply {
  const content = html`<h1>${title}</h1>
    <p class="lead">Copy the signing secret now. It is shown once. Your program checks each delivery with it,
    so that nobody else can post to the endpoint.</p>
    ${note}
    ${shownSecret('secret', 'Signing secret', secret, 'Copy the secret')}
    ${copiedState}
    <p class="hint">Deliveries follow Standard Webhooks 1.0: give the secret, with its prefix, to one of its
    libraries, such as <code>new Webhook(secret).verify(body, headers)</code>.</p>
    <p><a href="${root}console/webhooks/${webhookId}">To the endpoint</a>, where you can send a test.</p>`;
  return consoleReply({ title, content, root, viewer, place: 'webhooks', status });
}
