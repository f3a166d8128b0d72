import { z } from 'zod';
import { changeWebhook } from '../../../commands/change-webhook.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { ChangedMeanwhile } from '../../../event-store/handling/handle.ts';
import { loadWebhook } from '../../../loading/load-webhook.ts';
import { parseInput } from '../../input.ts';
import type { Reply } from '../../reply.ts';
import { webhookDescription, webhookKinds, webhookUrl } from '../../webhooks/webhook-schema.ts';
import { consoleReply, noteInHtml, redirectTo, sentence, tokenField } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { html } from '../html.ts';
import { changedMeanwhile, readSeen, seenField } from '../seen-version.ts';
import { typedWebhook, webhookFields, webhookOrder } from './webhook-fields.ts';
import { ownWebhook } from './webhook-params.ts';

type Deps = Parameters<typeof changeWebhook>[0];

const path = '/console/webhooks/:id/change';

/** Settings of an endpoint, as the API checks them. */
const settings = {
  schema: z.object({
    url: webhookUrl,
    events: webhookKinds,
    description: webhookDescription.nullable(),
  }),
};

export const changeWebhookPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path,
  role: 'owner',
  handle: (request, deps) => showForm(request, deps),
};

/** Changes an endpoint by the command of the API, unless somebody changed it since the form was made. */
export const changeWebhookRoute: ConsoleRoute<Deps> = {
  kind: 'form',
  path,
  role: 'owner',
  needsApiAccess: true,
  again: (request, deps) => showForm(request, deps, { typed: request.form, note: request.note }),
  handle: async (request, deps) => {
    const { form, meta, root } = request;
    const of = ownWebhook(request);
    // A change that the API refuses is explained only to people of the organisation.
    await loadWebhook(deps.store, of);
    try {
      const change = parseInput(settings, webhookOrder(form));
      await changeWebhook(deps, of, change, meta, readSeen(form));
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        return showForm(request, deps, { note: changedMeanwhile, status: 409 });
      }
      if (!(error instanceof Refusal) || error.code !== 'INVALID_REQUEST') throw error;
      return showForm(request, deps, { typed: form, note: sentence(error.message), status: 400 });
    }
    return redirectTo(root, `console/webhooks/${of.webhookId}`);
  },
};

/** The form with the present settings, or with what was typed. Refuses with WEBHOOK_NOT_FOUND. */
async function showForm(
  request: ViewRequest,
  { store }: Pick<Deps, 'store'>,
  {
    typed = null,
    note = null,
    status = 200,
  }: {
    readonly typed?: URLSearchParams | null;
    readonly note?: string | null;
    readonly status?: number;
  } = {},
): Promise<Reply> {
  const { viewer, root } = request;
  const of = ownWebhook(request);
  const { state, version } = await loadWebhook(store, of);
  const content = html`<h1>Change the endpoint</h1>
    ${noteInHtml(note)}
    <form method="post" action="${root}console/webhooks/${of.webhookId}/change">
      ${tokenField(viewer.formToken)}${seenField(typed === null ? version : readSeen(typed))}
      ${webhookFields(typed ?? typedWebhook(state))}
      <p class="actions"><button>Save the changes</button>
        <a href="${root}console/webhooks/${of.webhookId}">Cancel</a></p>
    </form>`;
  const page = { title: 'Change the endpoint', content, root, viewer, status };
  return consoleReply({ ...page, place: 'webhooks' });
}
