import type { WebhookEventKind } from '../../../domain/webhook/event-kind.ts';
import { type Html, html } from '../html.ts';

/** Kinds of events as the form explains them. `webhook.test` comes by tests, whatever is chosen. */
const kindTexts: Readonly<Record<Exclude<WebhookEventKind, 'webhook.test'>, string>> = {
  'proof.completed': 'a proof is on the ledger',
  'proof.failed': 'a proof was given up',
  'proof.attested': 'signatures of validators for a proof are on record',
  'document.created': 'a file was uploaded',
  'revision.created': 'a revision of a file was uploaded',
  'upload.completed': 'the proof of an upload is on the ledger',
  'upload.failed': 'an upload was given up',
  'certificate.generated': 'the first certificate of a proof was issued',
  'workspace.created': 'a workspace was created',
  'agent.run.recorded': 'an agent reported a run',
};

/** Typed values of a new endpoint. */
export const untouchedWebhook = new URLSearchParams([
  ['events', 'proof.completed'],
  ['events', 'proof.failed'],
]);

/** The fields of an endpoint, filled with what was typed. */
export function webhookFields(typed: URLSearchParams): Html {
  const chosen = typed.getAll('events');
  const value = (name: string) => typed.get(name) ?? '';
  return html`<label for="url">Address</label>
    <input id="url" name="url" type="url" required maxlength="2048" autocomplete="off" value="${value('url')}" aria-describedby="url-hint">
    <p class="hint" id="url-hint">An HTTPS address on a public host, such as <code>https://example.org/hooks/proofmark</code>.</p>
    <label for="description">Name</label>
    <input id="description" name="description" maxlength="255" value="${value('description')}">
    <fieldset><legend>Events</legend>
      ${Object.entries(kindTexts).map(
        ([kind, text]) =>
          html`<label class="choice"><input type="checkbox" name="events" value="${kind}"${chosen.includes(kind) && html` checked`}>
            <span><code>${kind}</code> <span class="hint">${text}</span></span></label>`,
      )}
      ${chosen.includes('webhook.test') && html`<input type="hidden" name="events" value="webhook.test">`}
    </fieldset>`;
}

/** Order of the form, for the call of the API, which checks it. */
export function webhookOrder(form: URLSearchParams) {
  return {
    url: form.get('url')?.trim() ?? '',
    events: form.getAll('events').filter((kind) => kind !== ''),
    description: form.get('description')?.trim() || null,
  };
}

/** Typed values that show an endpoint as it is. */
export function typedWebhook(webhook: {
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly WebhookEventKind[];
}): URLSearchParams {
  return new URLSearchParams([
    ['url', webhook.url],
    ['description', webhook.description ?? ''],
    ...webhook.events.map((kind) => ['events', kind]),
  ]);
}
