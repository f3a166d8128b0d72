import type { Decisions, OwnedDecider } from '../decider.ts';
import { ownerOf } from '../owner-of.ts';
import { Refusal } from '../refusal.ts';
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

/** Maximum number of changes, rotations and enablings: each delivery reads the whole stream. */
export const maxChanges = 1_000;

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

/**
 * Changes an endpoint. Refuses with INVALID_REQUEST after `maxChanges` changes, unless the endpoint
 * is only disabled.
 */
function change(webhook: WebhookEndpoint, change: WebhookChange): WebhookDecision {
  const decided = [...changeSettings(webhook, change), ...switchStatus(webhook, change.status)];
  if (decided.some(({ type }) => type !== 'WebhookDisabled')) requireChangeLeft(webhook);
  return decided;
}

/**
 * Rotates the secret. Deliveries are signed with `secret` from now on. Until `previousUntil` they
 * are also signed with the previous secrets. Refuses with INVALID_REQUEST after `maxChanges` changes.
 */
function rotateSecret(
  webhook: WebhookEndpoint,
  rotation: { readonly secret: string; readonly previousUntil: string },
): WebhookDecision {
  requireChangeLeft(webhook);
  const { webhookId } = webhook;
  return [{ type: 'WebhookSecretRotated', data: { webhookId, ...rotation } }];
}

/**
 * Disables an endpoint. A disabled one keeps its first reason. Decides nothing if `url`, whose answer
 * is the reason, is no longer its URL.
 */
function disable(state: WebhookState, reason: DisabledReason, url?: string): WebhookDecision {
  if (state.status !== 'active' || (url ?? state.url) !== state.url) return [];
  return [{ type: 'WebhookDisabled', data: { webhookId: state.webhookId, reason } }];
}

function remove({ webhookId }: WebhookEndpoint): WebhookDecision {
  return [{ type: 'WebhookDeleted', data: { webhookId } }];
}

function requireChangeLeft({ changes }: WebhookEndpoint): void {
  if (changes < maxChanges) return;
  const message = `the endpoint was changed ${maxChanges} times, the maximum; delete it and register another`;
  throw new Refusal('INVALID_REQUEST', message);
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
