import { streams } from '../domain/streams.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import { requireWebhook } from '../domain/webhook/require-webhook.ts';
import type { WebhookState } from '../domain/webhook/state.ts';
import { formatWebhookSecret, webhookSecretBytes } from '../domain/webhook/webhook-secret.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handle } from '../event-store/handling/handle.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { OwnWebhook } from '../loading/load-webhook.ts';

interface RotatedSecret {
  /** Shown to the caller once, and never again. */
  readonly secret: string;
  /** Time until which the previous secrets sign too (`YYYY-MM-DDTHH:MM:SS.sssZ`). */
  readonly previousUntil: string;
}

export interface RotateSecretDeps {
  readonly store: EventStore;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
}

/**
 * Gives an endpoint a new secret. The previous secrets sign for another `overlapSeconds`. Refuses
 * with WEBHOOK_NOT_FOUND, and with INVALID_REQUEST after `maxChanges` changes. `seen`: version of the
 * endpoint's stream on which the rotation was decided; rejects with `ChangedMeanwhile` if it has
 * another one.
 */
export async function rotateWebhookSecret(
  deps: RotateSecretDeps,
  of: OwnWebhook,
  overlapSeconds: number,
  meta: EventMeta,
  seen: number | null = null,
): Promise<RotatedSecret> {
  const secret = formatWebhookSecret(deps.randomBytes(webhookSecretBytes));
  const until = new Date(deps.now().getTime() + overlapSeconds * 1_000);
  const rotation = { secret, previousUntil: until.toISOString() };
  const command = (state: WebhookState) =>
    webhookDecider.rotateSecret(requireWebhook(state, of.organisationId), rotation);
  const stream = streams.webhook(of.webhookId);
  await handle(deps.store, stream, webhookDecider, command, meta, seen);
  return rotation;
}
