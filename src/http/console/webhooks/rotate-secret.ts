import { rotateWebhookSecret } from '../../../commands/rotate-webhook-secret.ts';
import {
  defaultOverlapSeconds,
  maxOverlapSeconds,
} from '../../../domain/webhook/webhook-secret.ts';
import { ChangedMeanwhile } from '../../../event-store/handling/handle.ts';
import { loadWebhook } from '../../../loading/load-webhook.ts';
import type { Reply } from '../../reply.ts';
import { consoleReply, noteInHtml, tokenField } from '../console-page.ts';
import type { ConsoleRoute, ViewRequest } from '../console-route.ts';
import { html, timeInHtml } from '../html.ts';
import { readSeen, seenField } from '../seen-version.ts';
import { secretPage } from './secret-page.ts';
import { webhookAddress } from './webhook-address.ts';
import { ownWebhook } from './webhook-params.ts';

type Deps = Parameters<typeof rotateWebhookSecret>[0];

const path = '/console/webhooks/:id/rotate';

/** Times for which the previous secret signs too, in seconds. */
const overlaps: readonly (readonly [number, string])[] = [
  [0, 'at once: the former secret is in other hands'],
  [3_600, 'after an hour'],
  [defaultOverlapSeconds, 'after a day'],
  [maxOverlapSeconds, 'after a week'],
];

const notRotated =
  'This endpoint has changed since the form was made, by another person or by this form itself. Nothing ' +
  'more was rotated.';

export const rotateSecretPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path,
  role: 'owner',
  handle: (request, deps) => showForm(request, deps),
};

/** Rotates the secret of an endpoint by the command of the API, once for each form. */
export const rotateSecretRoute: ConsoleRoute<Deps> = {
  kind: 'form',
  path,
  role: 'owner',
  again: (request, deps) => {
    const { form, note } = request;
    return showForm(request, deps, { typed: form, seen: readSeen(form), note });
  },
  handle: async (request, deps) => {
    const { form, meta } = request;
    const of = ownWebhook(request);
    const overlap = readOverlap(form);
    try {
      const rotated = await rotateWebhookSecret(deps, of, overlap, meta, readSeen(form));
      const note =
        overlap === 0
          ? html`<p>Deliveries are signed with it alone from now on.</p>`
          : html`<p>The former secret signs too until ${timeInHtml(rotated.previousUntil)}.</p>`;
      const shown = { secret: rotated.secret, title: 'The new secret', note };
      return secretPage(request, { webhookId: of.webhookId, ...shown });
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
      return showForm(request, deps, { typed: form, note: notRotated, status: 409 });
    }
  },
};

/** The chosen time in seconds. A form without one means the default. */
function readOverlap(form: URLSearchParams): number {
  const given = form.get('overlap');
  return overlaps.find(([seconds]) => String(seconds) === given)?.[0] ?? defaultOverlapSeconds;
}

/**
 * `seen`: the version that the form was made from, if the person has not seen the present one.
 * Refuses with WEBHOOK_NOT_FOUND.
 */
async function showForm(
  request: ViewRequest,
  { store }: Pick<Deps, 'store'>,
  {
    typed = new URLSearchParams(),
    seen = null,
    note = null,
    status = 200,
  }: {
    readonly typed?: URLSearchParams;
    readonly seen?: number | null;
    readonly note?: string | null;
    readonly status?: number;
  } = {},
): Promise<Reply> {
  const { viewer, root } = request;
  const of = ownWebhook(request);
  const { state, version } = await loadWebhook(store, of);
  const content = html`<h1>Rotate the signing secret?</h1>
    ${noteInHtml(note)}
    <p class="lead">Deliveries to ${webhookAddress(state.url, viewer)} get a new secret, which is shown once.</p>
    <form method="post" action="${root}console/webhooks/${of.webhookId}/rotate">
      ${tokenField(viewer.formToken)}${seenField(seen ?? version)}
      <label for="overlap">The former secret ends</label>
      <select id="overlap" name="overlap">${overlaps.map(
        ([seconds, text]) =>
          html`<option value="${seconds}"${seconds === readOverlap(typed) && html` selected`}>${text}</option>`,
      )}</select>
      <p class="actions"><button>Rotate the secret</button>
        <a href="${root}console/webhooks/${of.webhookId}">Cancel</a></p>
    </form>`;
  return consoleReply({
    title: 'Rotate the secret',
    content,
    root,
    viewer,
    place: 'webhooks',
    status,
  });
}
