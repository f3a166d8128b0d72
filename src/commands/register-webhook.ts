import { streams } from '../domain/streams.ts';
import type { OrganisationId, WebhookId } from '../domain/ulid.ts';
import { registerWebhook as decideRegister } from '../domain/webhook/decide.ts';
import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';
import { takePlace } from '../domain/webhook/places.ts';
import { formatWebhookSecret, webhookSecretBytes } from '../domain/webhook/secret.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';
import { checkWebhookUrl } from './check-webhook-url.ts';
import { placeEntry } from './place-entry.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import type { Turns } from './turns.ts';

/** `events` has at least one kind. */
export interface WebhookOrder {
  readonly organisationId: OrganisationId;
  readonly url: string;
  readonly events: readonly WebhookEventKind[];
  readonly description: string | null;
}

export interface RegisteredWebhook {
  readonly webhookId: WebhookId;
  /** Told to the one who asked, and to nobody ever again. */
  readonly secret: string;
}

/**
 * Registers an endpoint. Refuses with INVALID_REQUEST a URL that nothing may be delivered to, and
 * one endpoint more than an organisation may have.
 */
export async function registerWebhook(
  deps: {
    readonly store: EventStore;
    readonly turns: Turns;
    readonly webhooks: Pick<WebhookDeliveries, 'checkUrl'>;
    readonly newId: () => string;
    readonly randomBytes: (count: number) => Buffer;
  },
  order: WebhookOrder,
  meta: EventMeta,
): Promise<RegisteredWebhook> {
  const { store, turns } = deps;
  const { organisationId } = order;
  await checkWebhookUrl(deps.webhooks, order.url);
  const webhookId = deps.newId() as WebhookId;
  const secret = formatWebhookSecret(deps.randomBytes(webhookSecretBytes));
  const events = decideRegister({ ...order, webhookId, secret });
  const stream = streams.webhook(webhookId);
  const entry = { organisationId, stream, expectedVersion: 0, events };
  await turns.take(streams.webhookPlaces(organisationId), () =>
    retryOnConflict(async () => {
      const place = await placeEntry(store, organisationId, (taken) => takePlace(taken, webhookId));
      await store.append([entry, place], meta);
    }),
  );
  return { webhookId, secret };
}
