import type { EventStore } from '../../../event-store/event-store.ts';
import { loadWebhook } from '../../../loading/load-webhook.ts';
import { deleteWebhook } from '../../webhooks/delete-webhook.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply, redirectTo, tokenField } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { html } from '../html.ts';
import { webhookAddress } from './webhook-address.ts';
import { ownWebhook } from './webhook-params.ts';

const path = '/console/webhooks/:id/delete';

/** Asks before an endpoint is deleted. */
export const confirmDeletionPage: ConsoleRoute<{
  readonly store: Pick<EventStore, 'readStream'>;
}> = {
  kind: 'view',
  path,
  role: 'owner',
  handle: async (request, { store }) => {
    const { viewer, root } = request;
    const of = ownWebhook(request);
    const { state } = await loadWebhook(store, of);
    const content = html`<h1>Delete this endpoint?</h1>
      <p class="lead">Nothing more is sent to ${webhookAddress(state.url, viewer)}, and its deliveries can
      no longer be seen. This cannot be undone. To stop it for a while, disable it instead.</p>
      <form method="post" action="${root}console/webhooks/${of.webhookId}/delete">
        ${tokenField(viewer.formToken)}
        <p class="actions"><button class="danger">Delete the endpoint</button>
          <a href="${root}console/webhooks/${of.webhookId}">Cancel</a></p>
      </form>`;
    return consoleReply({ title: 'Delete an endpoint', content, root, viewer, place: 'webhooks' });
  },
};

/** Deletes an endpoint by the call of the API. */
export const deleteWebhookRoute: ConsoleRoute<ApiDeps> = {
  kind: 'form',
  path,
  role: 'owner',
  again: async (request) =>
    redirectTo(request.root, `console/webhooks/${ownWebhook(request).webhookId}/delete`),
  handle: async (request, deps) => {
    const { webhookId: id } = ownWebhook(request);
    await deps.consoleApi.ask(request, deleteWebhook, { params: { id } });
    return redirectTo(request.root, 'console/webhooks');
  },
};
