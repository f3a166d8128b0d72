import type { Decisions, OwnedDecider } from '../decider.ts';
import { ownerOf } from '../owner-of.ts';
import type { WebhookEventKind } from './event-kind.ts';
import type { DisabledReason, WebhookEvent, WebhookRegistered } from './events.ts';
import { evolveWebhook, unknownWebhook, type WebhookEndpoint, type WebhookState } from './state.ts';

/** State of a webhook endpoint's stream, and the decisions on it. */
export const webhookDecider = {
  initial: unknownWebhook,
  evolve: evolveWebhook,
  ownerOf,
  register,
  change,
  rotateSecret,
  disable,
  remove,
} satisfies OwnedDecider<WebhookState, WebhookEvent> & Decisions;

/** Events that an order appends to an endpoint's stream; none if nothing changes. */
type WebhookDecision = readonly WebhookEvent[];

/** Changes that the owner may make. Absent members stay unchanged. */
export interface WebhookChange {
  readonly url?: string | undefined;
  readonly events?: readonly WebhookEventKind[] | undefined;
  readonly description?: string | null | undefined;
  readonly status?: 'active' | 'disabled' | undefined;
}

/** Registers an endpoint. A kind named twice counts once. */
function register(order: WebhookRegistered['data']): WebhookDecision {
  return [{ type: 'WebhookRegistered', data: { ...order, events: foldKinds(order.events) } }];
}

function change(webhook: WebhookEndpoint, change: WebhookChange): WebhookDecision {
  return [...changeSettings(webhook, change), ...switchStatus(webhook, change.status)];
}

/**
 * Rotates the secret. Deliveries are signed with `secret` from now on. Until `previousUntil` they
 * are also signed with the previous secrets.
 */
function rotateSecret(
  { webhookId }: WebhookEndpoint,
  rotation: { readonly secret: string; readonly previousUntil: string },
): WebhookDecision {
  return [{ type: 'WebhookSecretRotated', data: { webhookId, ...rotation } }];
}

/** Disables an endpoint. A disabled one keeps its first reason. */
function disable(state: WebhookState, reason: DisabledReason): WebhookDecision {
  if (state.status !== 'active') return [];
  return [{ type: 'WebhookDisabled', data: { webhookId: state.webhookId, reason } }];
}

function remove({ webhookId }: WebhookEndpoint): WebhookDecision {
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
  if (status === 'disabled') return disable(webhook, 'caller');
  if (status !== 'active' || webhook.status === 'active') return [];
  return [{ type: 'WebhookEnabled', data: { webhookId: webhook.webhookId } }];
}

function foldKinds(kinds: readonly WebhookEventKind[]): readonly WebhookEventKind[] {
  return [...new Set(kinds)];
}
