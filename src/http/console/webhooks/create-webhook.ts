import { Refusal } from '../../../domain/refusal.ts';
import { streams } from '../../../domain/streams.ts';
import type { WebhookId } from '../../../domain/ulid.ts';
import type { EventStore } from '../../../event-store/event-store.ts';
import type { Reply } from '../../reply.ts';
import { postWebhook } from '../../webhooks/post-webhook.ts';
import type { ApiDeps } from '../console-api.ts';
import { consoleReply, noteInHtml, sentence, tokenField } from '../console-page.ts';
import type { ConsoleRoute, FormRequest, ViewRequest } from '../console-route.ts';
import { onceValue, readOnce } from '../form-orders.ts';
import { html } from '../html.ts';
import { secretPage } from './secret-page.ts';
import { untouchedWebhook, webhookFields, webhookOrder } from './webhook-fields.ts';

type Deps = ApiDeps & {
  readonly newId: () => string;
  readonly store: Pick<EventStore, 'readLast'>;
};

export const newWebhookPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/webhooks/new',
  role: 'owner',
  handle: async (request, deps) => showForm(request, deps),
};

const unsigned = 'Nothing was registered yet: check the form, and send it again.';

/**
 * Registers an endpoint by the call of the API, and shows its secret once. A form that is sent again
 * registers none.
 */
export const createWebhookRoute: ConsoleRoute<Deps> = {
  kind: 'form',
  path: '/console/webhooks',
  role: 'owner',
  needsApiAccess: true,
  again: async (request, deps) =>
    showForm(request, deps, { typed: request.form, note: request.note }),
  handle: async (request, deps) => {
    const { form, token } = request;
    const refused = (note: string) => showForm(request, deps, { typed: form, note, status: 400 });
    const webhookId = readOnce(token ?? '', form.get('once')) as WebhookId | null;
    if (webhookId === null) return refused(unsigned);
    try {
      type Registered = { readonly data: { readonly secret: string } };
      const json = webhookOrder(form);
      const { data } = await deps.consoleApi.ask<Registered>(request, postWebhook, {
        json,
        id: webhookId,
      });
      const title = 'Your new endpoint';
      return secretPage(request, { webhookId, secret: data.secret, title, status: 201 });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isRegistered = (await deps.store.readLast(streams.webhook(webhookId))) !== null;
      return isRegistered ? registeredBefore(request) : refused(sentence(error.message));
    }
  },
};

function showForm(
  { viewer, root, token }: ViewRequest,
  { newId }: Pick<Deps, 'newId'>,
  {
    typed = untouchedWebhook,
    note = null,
    status = 200,
  }: {
    readonly typed?: URLSearchParams;
    readonly note?: string | null;
    readonly status?: number;
  } = {},
): Reply {
  const content = html`<h1>New endpoint</h1>
    ${noteInHtml(note)}
    <form method="post" action="${root}console/webhooks">
      ${tokenField(viewer.formToken)}
      <input type="hidden" name="once" value="${onceValue(token ?? '', newId())}">
      ${webhookFields(typed)}
      <p class="actions"><button>Register the endpoint</button> <a href="${root}console/webhooks">Cancel</a></p>
    </form>`;
  return consoleReply({ title: 'New endpoint', content, root, viewer, place: 'webhooks', status });
}

/** Answer to a form that was sent again, such as by a reload: its secret was shown. */
function registeredBefore({ root, viewer }: FormRequest): Reply {
  const content = html`<h1>This endpoint was registered before</h1>
    <p class="lead">The form was sent a second time, so no other endpoint was registered. If you did not
    copy the secret, rotate it.</p>
    <p><a href="${root}console/webhooks">To all endpoints</a></p>`;
  const page = { title: 'Registered before', content, root, viewer, place: 'webhooks' } as const;
  return consoleReply({ ...page, status: 409 });
}
