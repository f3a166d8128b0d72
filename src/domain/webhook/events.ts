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

/** What holds from now on: all of it, also what stays as it was. */
export type WebhookChanged = EventOf<
  'WebhookChanged',
  {
    readonly webhookId: WebhookId;
    readonly url: string;
    readonly events: readonly WebhookEventKind[];
    readonly description: string | null;
  }
>;

/** Deliveries are signed with `secret` from now on, and with the ones before it until then too. */
export type WebhookSecretRotated = EventOf<
  'WebhookSecretRotated',
  { readonly webhookId: WebhookId; readonly secret: string; readonly previousUntil: string }
>;

/** Why nothing is delivered: it answered 410; it failed for days; its owner said so. */
export type DisabledReason = 'gone' | 'failing' | 'caller';

export type WebhookDisabled = EventOf<
  'WebhookDisabled',
  { readonly webhookId: WebhookId; readonly reason: DisabledReason }
>;

export type WebhookEnabled = EventOf<'WebhookEnabled', { readonly webhookId: WebhookId }>;

export type WebhookDeleted = EventOf<'WebhookDeleted', { readonly webhookId: WebhookId }>;

/**
 * On the stream of an organisation's places, appended together with the registration or deletion:
 * the fence that keeps their number within its limit. `taken` is how many are taken then.
 */
export type WebhookPlaceTaken = EventOf<
  'WebhookPlaceTaken',
  { readonly webhookId: WebhookId; readonly taken: number }
>;

export type WebhookPlaceFreed = EventOf<
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
