import { Refusal } from '../refusal.ts';
import type { OrganisationId } from '../ulid.ts';
import type { WebhookEndpoint, WebhookState } from './state.ts';

/**
 * Refuses with WEBHOOK_NOT_FOUND an endpoint that is absent, deleted or another organisation's. The
 * refusal does not distinguish these cases.
 */
export function requireWebhook(
  state: WebhookState,
  organisationId: OrganisationId,
): WebhookEndpoint {
  if (isEndpoint(state) && state.organisationId === organisationId) return state;
  throw new Refusal('WEBHOOK_NOT_FOUND', 'there is no such webhook endpoint');
}

/** True for an endpoint that is neither absent nor deleted. */
export function isEndpoint(state: WebhookState): state is WebhookEndpoint {
  return state.status === 'active' || state.status === 'disabled';
}
