import { Refusal } from '../domain/refusal.ts';
import { streams } from '../domain/streams.ts';
import type { OrganisationId, WebhookId } from '../domain/ulid.ts';
import { webhookDecider } from '../domain/webhook/decider.ts';
import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';
import { webhookPlacesDecider } from '../domain/webhook/places-decider.ts';
import { requireDeliverable } from '../domain/webhook/require-deliverable.ts';
import { formatWebhookSecret, webhookSecretBytes } from '../domain/webhook/webhook-secret.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { handleStreams } from '../event-store/handling/handle.ts';
import { loadNewest } from '../event-store/handling/load.ts';
import type { Turns } from '../event-store/handling/turns.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import type { WebhookDeliveries } from '../webhooks/contract.ts';

/** `events` has at least one kind. */
export interface WebhookOrder {
  readonly organisationId: OrganisationId;
  readonly url: string;
  readonly events: readonly WebhookEventKind[];
  readonly description: string | null;
}

interface RegisteredWebhook {
  readonly webhookId: WebhookId;
  /** Shown to the caller once, and never again. */
  readonly secret: string;
}

export interface RegisterWebhookDeps {
  readonly store: EventStore;
  readonly turns: Turns;
  readonly webhooks: Pick<WebhookDeliveries, 'checkUrl'>;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
}

/**
 * Registers an endpoint. Refuses with INVALID_REQUEST a URL to which nothing may be delivered, an
 * endpoint beyond the organisation's maximum, and an id that was used.
 */
export async function registerWebhook(
  deps: RegisterWebhookDeps,
  order: WebhookOrder,
  meta: EventMeta,
): Promise<RegisteredWebhook> {
  const { store, turns } = deps;
  const { organisationId } = order;
  requireDeliverable(await deps.webhooks.checkUrl(order.url));
  const webhookId = deps.newId() as WebhookId;
  const secret = formatWebhookSecret(deps.randomBytes(webhookSecretBytes));
  const events = webhookDecider.register({ ...order, webhookId, secret });
  const stream = streams.webhook(webhookId);
  const entry = { organisationId, stream, expectedVersion: 0, events };
  const places = streams.webhookPlaces(organisationId);
  const decide = async () => {
    // Without this check, an id that was used would cause conflicts for ever.
    if ((await store.readLast(stream)) !== null) {
      throw new Refusal('INVALID_REQUEST', 'this endpoint was registered already');
    }
    const { state: count, version } = await loadNewest(store, places, webhookPlacesDecider);
    const taken = webhookPlacesDecider.take(count, webhookId);
    const place = { organisationId, stream: places, expectedVersion: version, events: taken };
    return { entries: [entry, place] };
  };
  await turns.take(places, () => handleStreams(store, decide, meta));
  return { webhookId, secret };
}
