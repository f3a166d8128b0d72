import type { Decider } from '../decider.ts';
import type { WebhookEvent } from './events.ts';
import { evolveWebhook, unknownWebhook, type WebhookState } from './state.ts';

/** The state of a webhook's stream. */
export const webhookDecider: Decider<WebhookState, WebhookEvent> = {
  initial: unknownWebhook,
  evolve: evolveWebhook,
};
