import type { z } from 'zod';
import { listDeliveries } from '../../webhooks/list-deliveries.ts';
import type { deliveryList, WebhookData } from '../../webhooks/webhook-schema.ts';
import type { ApiDeps } from '../console-api.ts';
import { tokenField } from '../console-page.ts';
import type { ViewRequest } from '../console-route.ts';
import { type Html, html, timeInHtml } from '../html.ts';
import { pageLinks, pageNumber } from '../page-links.ts';

type Deps = ApiDeps & { readonly now: () => Date };

type Deliveries = z.output<typeof deliveryList>;
type ShownDelivery = Deliveries['data'][number];

const limit = 20;

/**
 * The deliveries of an endpoint with what came of each, and the forms that send them again, filled
 * with what was typed.
 */
export async function deliveriesPart(
  request: ViewRequest,
  deps: Deps,
  { id, status, events }: WebhookData,
  typed: URLSearchParams,
): Promise<Html> {
  const { query, root, viewer } = request;
  const page = pageNumber(query);
  const paged = { page: String(page), limit: String(limit) };
  const asked = { params: { id }, query: paged };
  const { data, meta } = await deps.consoleApi.ask<Deliveries>(request, listDeliveries, asked);
  const isOwner = viewer.person.role === 'owner';
  const mayRetry = isOwner && status === 'active';
  const path = `${root}console/webhooks/${id}`;
  return html`<h2 id="deliveries">Deliveries</h2>
    <p class="hint">Of the last 30 days, newest first.${isOwner && status === 'disabled' && ' Enable the endpoint to send any of them again.'}</p>
    ${mayRetry && meta.total > 0 && retryAll(path, viewer.formToken, typed.get('since') ?? dayBefore(deps.now()))}
    ${
      data.length > 0
        ? html`<ul class="rows">${data.map((one) => row(one, path, mayRetry && viewer.formToken))}</ul>`
        : html`<div class="empty"><p>Nothing was sent yet. The endpoint hears of
            ${events[0] ?? 'events'} from now on.${isOwner && ' Send a test to see that it answers.'}</p></div>`
    }
    ${pageLinks({ path, page, limit, total: meta.total })}`;
}

function row(delivery: ShownDelivery, path: string, formToken: string | false): Html {
  const { id, type, status, createdAt, attempts, lastAttemptAt, nextAttemptAt } = delivery;
  return html`<li><p><span class="badge badge-${status}">${status}</span> <code>${type}</code> ${timeInHtml(createdAt)}</p>
      <p class="hint">${attemptsOf(attempts)}${lastAttemptAt !== null && html`, the last at ${timeInHtml(lastAttemptAt)}: ${answerTo(delivery)}`}.
        ${nextAttemptAt !== null && html`Next attempt at ${timeInHtml(nextAttemptAt)}.`}
        ${status === 'held' && 'Held, since the endpoint was disabled.'}</p>
      <p class="hint">Id <code>${id}</code></p>
      ${
        formToken !== false &&
        status !== 'pending' &&
        type !== 'webhook.test' &&
        html`<form method="post" action="${path}/deliveries/${id}/retry">${tokenField(formToken)}
          <button class="plain">Send again<span class="unseen"> ${type} of ${createdAt}</span></button></form>`
      }</li>`;
}

function attemptsOf(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

function answerTo({ responseStatus, error, durationMs }: ShownDelivery): string {
  const answer = responseStatus === null ? (error ?? 'under way') : `HTTP ${responseStatus}`;
  return durationMs === null ? answer : `${answer} after ${durationMs} ms`;
}

/** A time as the field has it, to the minute. */
function dayBefore(now: Date): string {
  return new Date(now.getTime() - 86_400_000).toISOString().slice(0, 16);
}

function retryAll(path: string, formToken: string, since: string): Html {
  return html`<form method="post" class="card" action="${path}/retry-failed">
      ${tokenField(formToken)}
      <label for="since">Send again all that failed since (UTC)</label>
      <input id="since" name="since" type="datetime-local" required value="${since}" aria-describedby="since-hint">
      <p class="hint" id="since-hint">Deliveries that failed for good, and those held while the endpoint was disabled.</p>
      <p class="actions"><button class="plain">Send them again</button></p>
    </form>`;
}
