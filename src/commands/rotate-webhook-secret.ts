import { rotateWebhookSecret as decide } from '../domain/webhook/decide.ts';
import { formatWebhookSecret, webhookSecretBytes } from '../domain/webhook/secret.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnWebhook } from './decide-on-webhook.ts';
import type { OwnWebhook } from './load-webhook.ts';

export interface RotatedSecret {
  /** Told to the one who asked, and to nobody ever again. */
  readonly secret: string;
  /** Until then (`YYYY-MM-DDTHH:MM:SS.sssZ`) those before it sign too. */
  readonly previousUntil: string;
}

/**
 * Gives an endpoint a new secret; those before it sign for `overlapSeconds` more. Refuses with
 * WEBHOOK_NOT_FOUND.
 */
export async function rotateWebhookSecret(
  deps: {
    readonly store: EventStore;
    readonly randomBytes: (count: number) => Buffer;
    readonly now: () => Date;
  },
  of: OwnWebhook,
  overlapSeconds: number,
  meta: EventMeta,
): Promise<RotatedSecret> {
  const secret = formatWebhookSecret(deps.randomBytes(webhookSecretBytes));
  const until = new Date(deps.now().getTime() + overlapSeconds * 1_000);
  const rotation = { secret, previousUntil: until.toISOString() };
  await decideOnWebhook(deps.store, of, (webhook) => decide(webhook, rotation), meta);
  return rotation;
}
