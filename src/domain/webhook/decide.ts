import type { WebhookEventKind } from './event-kind.ts';
import type { DisabledReason, WebhookEvent, WebhookRegistered } from './events.ts';
import type { WebhookEndpoint, WebhookState } from './state.ts';

/** What an order appends to an endpoint's stream: nothing where it already is as ordered. */
export type WebhookDecision = readonly WebhookEvent[];

/** What its owner may change; what is absent stays as it is. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookEventKind[] | undefined;
  readonly description?: string | null | undefined;
  readonly status?: 'active' | 'disabled' | undefined;
}

/** Registers an endpoint; a kind that is named twice counts once. */
export function registerWebhook(order: WebhookRegistered['data']): WebhookDecision {
  return [{ type: 'WebhookRegistered', data: { ...order, events: foldKinds(order.events) } }];
}

export function changeWebhook(webhook: WebhookEndpoint, change: WebhookChange): WebhookDecision {
  return [...changeSettings(webhook, change), ...switchStatus(webhook, change.status)];
}

/** Deliveries are signed with `secret` from now on, and until then with those before it too. */
export function rotateWebhookSecret(
  { webhookId }: WebhookEndpoint,
  rotation: { readonly secret: string; readonly previousUntil: string },
): WebhookDecision {
  return [{ type: 'WebhookSecretRotated', data: { webhookId, ...rotation } }];
}

/** One that is disabled already keeps its first reason. */
export function disableWebhook(state: WebhookState, reason: DisabledReason): WebhookDecision {
  if (state.status !== 'active') return [];
  return [{ type: 'WebhookDisabled', data: { webhookId: state.webhookId, reason } }];
}

export function deleteWebhook({ webhookId }: WebhookEndpoint): WebhookDecision {
  return [{ type: 'WebhookDeleted', data: { webhookId } }];
}

function changeSettings(webhook: WebhookEndpoint, change: WebhookChange): WebhookDecision {
  const { webhookId } = webhook;
  const url = change.url ?? webhook.url;
  const events = foldKinds(change.events ?? webhook.events);
  const description = change.description === undefined ? webhook.description : change.description;
  const same =
    url === webhook.url &&
    description === webhook.description &&
    events.length === webhook.events.length &&
    events.every((kind, index) => kind === webhook.events[index]);
  if (same) return [];
  return [{ type: 'WebhookChanged', data: { webhookId, url, events, description } }];
}

function switchStatus(webhook: WebhookEndpoint, status: WebhookChange['status']): WebhookDecision {
  if (status === 'disabled') return disableWebhook(webhook, 'caller');
  if (status !== 'active' || webhook.status === 'active') return [];
  return [{ type: 'WebhookEnabled', data: { webhookId: webhook.webhookId } }];
}

function foldKinds(kinds: readonly WebhookEventKind[]): readonly WebhookEventKind[] {
  return [...new Set(kinds)];
}
