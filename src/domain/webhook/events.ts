import type { DefinitionsOf, EventOf } from '../event.ts';
import type { OrganisationId, WebhookId } from '../ulid.ts';
import type { WebhookEventKind } from './event-kind.ts';

/** An endpoint was registered. `secret` is `whsec_…`, the key of its signatures. */
export type WebhookRegistered = EventOf<
  'WebhookRegistered',
  {
    readonly webhookId: WebhookId;
    readonly organisationId: OrganisationId;
    readonly url: string;
    readonly events: readonly WebhookEventKind[];
    readonly description: string | null;
    readonly secret: string;
  }
>;

/** All settings from now on, including unchanged ones. */
type WebhookChanged = EventOf<
  'WebhookChanged',
  {
    readonly webhookId: WebhookId;
    readonly url: string;
    readonly events: readonly WebhookEventKind[];
    readonly description: string | null;
  }
>;

/**
 * Deliveries are signed with `secret` from now on. Until `previousUntil` they are also signed with
 * the previous secrets.
 */
type WebhookSecretRotated = EventOf<
  'WebhookSecretRotated',
  { readonly webhookId: WebhookId; readonly secret: string; readonly previousUntil: string }
>;

/**
 * Reason why nothing is delivered. `gone`: it answered 410. `failing`: it failed for days.
 * `caller`: its owner disabled it.
 */
export type DisabledReason = 'gone' | 'failing' | 'caller';

type WebhookDisabled = EventOf<
  'WebhookDisabled',
  { readonly webhookId: WebhookId; readonly reason: DisabledReason }
>;

type WebhookEnabled = EventOf<'WebhookEnabled', { readonly webhookId: WebhookId }>;

export type WebhookDeleted = EventOf<'WebhookDeleted', { readonly webhookId: WebhookId }>;

/**
 * Fence that keeps the number of an organisation's endpoints within its limit. Appended together
 * with the registration or deletion, to the stream of the organisation's places. `taken` is the new
 * number of places taken.
 */
type WebhookPlaceTaken = EventOf<
  'WebhookPlaceTaken',
  { readonly webhookId: WebhookId; readonly taken: number }
>;

type WebhookPlaceFreed = EventOf<
  'WebhookPlaceFreed',
  { readonly webhookId: WebhookId; readonly taken: number }
>;

/** The events of an endpoint's own stream. */
export type WebhookEvent =
  | WebhookRegistered
  | WebhookChanged
  | WebhookSecretRotated
  | WebhookDisabled
  | WebhookEnabled
  | WebhookDeleted;

/** The events of the stream of an organisation's places. */
export type WebhookPlaceEvent = WebhookPlaceTaken | WebhookPlaceFreed;

/** URLs often hold a token: they are as confidential as secrets. */
export const webhookEvents: DefinitionsOf<WebhookEvent | WebhookPlaceEvent> = {
  WebhookRegistered: { schema: 1, clear: ['webhookId', 'organisationId', 'events'] },
  WebhookChanged: { schema: 1, clear: ['webhookId', 'events'] },
  WebhookSecretRotated: { schema: 1, clear: ['webhookId', 'previousUntil'] },
  WebhookDisabled: { schema: 1, clear: ['webhookId', 'reason'] },
  WebhookEnabled: { schema: 1, clear: ['webhookId'] },
  WebhookDeleted: { schema: 1, clear: ['webhookId'] },
  WebhookPlaceTaken: { schema: 1, clear: ['webhookId', 'taken'] },
  WebhookPlaceFreed: { schema: 1, clear: ['webhookId', 'taken'] },
};
