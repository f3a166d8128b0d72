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

/** A key or a person asked for a test of the endpoint. Recorded before the test is sent. */
type WebhookTestRequested = EventOf<'WebhookTestRequested', { readonly webhookId: WebhookId }>;

/** A key or a person asked to send a delivery again. Recorded before the delivery is due. */
type WebhookRetryRequested = EventOf<
  'WebhookRetryRequested',
  { readonly webhookId: WebhookId; readonly deliveryId: string }
>;

/**
 * A key or a person asked to send all deliveries again that failed or were held, of events since a
 * time. Recorded before the deliveries are due.
 */
type WebhookRetriesRequested = EventOf<
  'WebhookRetriesRequested',
  {
    readonly webhookId: WebhookId;
    /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
    readonly since: string;
    /** Number of such deliveries at the time of the call, at most those of one call. */
    readonly deliveries: number;
  }
>;

/** The events of an endpoint's own stream. */
export type WebhookEvent =
  | WebhookRegistered
  | WebhookChanged
  | WebhookSecretRotated
  | WebhookDisabled
  | WebhookEnabled
  | WebhookDeleted;

/**
 * The events of the stream of what was asked to be sent to an endpoint. A stream of its own: it may
 * be long, and nothing that is decided about the endpoint depends on it.
 */
export type WebhookSendingEvent =
  | WebhookTestRequested
  | WebhookRetryRequested
  | WebhookRetriesRequested;

/** The events of the stream of an organisation's places. */
export type WebhookPlaceEvent = WebhookPlaceTaken | WebhookPlaceFreed;

/** URLs often hold a token: they are as confidential as secrets. */
export const webhookEvents: DefinitionsOf<WebhookEvent | WebhookSendingEvent | WebhookPlaceEvent> =
  {
    WebhookRegistered: { schema: 1, clear: ['webhookId', 'organisationId', 'events'] },
    WebhookChanged: { schema: 1, clear: ['webhookId', 'events'] },
    WebhookSecretRotated: { schema: 1, clear: ['webhookId', 'previousUntil'] },
    WebhookDisabled: { schema: 1, clear: ['webhookId', 'reason'] },
    WebhookEnabled: { schema: 1, clear: ['webhookId'] },
    WebhookDeleted: { schema: 1, clear: ['webhookId'] },
    WebhookTestRequested: { schema: 1, clear: ['webhookId'] },
    WebhookRetryRequested: { schema: 1, clear: ['webhookId', 'deliveryId'] },
    WebhookRetriesRequested: { schema: 1, clear: ['webhookId', 'since', 'deliveries'] },
    WebhookPlaceTaken: { schema: 1, clear: ['webhookId', 'taken'] },
    WebhookPlaceFreed: { schema: 1, clear: ['webhookId', 'taken'] },
  };
