import type { OrganisationId, WebhookId } from '../domain/ulid.ts';
import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';

/** What the URL of an endpoint may be. The first two are for development. */
export interface EndpointRules {
  readonly allowHttp: boolean;
  /** Whether addresses that are not public may be reached. */
  readonly allowPrivate: boolean;
  /** Null: any. */
  readonly ports: readonly number[] | null;
}

/** Makes one HTTP request to an endpoint. */
export interface WebhookSender {
  /**
   * Posts the body, within 15 s in all, to a public address of the URL's host. Redirects are not
   * followed, and of the answer 64 KiB are read at most. Never rejects: what went wrong is in the
   * answer. When `cancelled` aborts it ends at once, and the request may have arrived.
   */
  send(request: WebhookRequest, cancelled: AbortSignal): Promise<WebhookAnswer>;
  /**
   * What is wrong with the URL of an endpoint, in words that follow its name, or null: its form, and
   * every address that its name has now. A name that does not resolve is taken, since all of this is
   * looked at again whenever a connection is made. Never rejects.
   */
  checkUrl(url: string): Promise<string | null>;
  /** Closes connections that are kept open. */
  close(): void;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookAnswer {
  /** Null where none came. */
  readonly status: number | null;
  /** Null where a status came. */
  readonly error: WebhookTrouble | null;
  /** The header, as it came. */
  readonly retryAfter: string | undefined;
  readonly durationMs: number;
}

/** Why no status came. */
export type WebhookTrouble =
  | 'url not allowed'
  | 'name not resolved'
  | 'address not allowed'
  | 'unreachable'
  | 'tls failed'
  | 'connection lost'
  | 'timeout'
  | 'malformed answer'
  | 'cancelled';

/** What the API does with deliveries. Rejects where the database is away. */
export interface WebhookDeliveries {
  /** As `WebhookSender.checkUrl`. */
  checkUrl(url: string): Promise<string | null>;
  /** Sends `webhook.test` now, once, and keeps it in the log. */
  test(webhook: TestedWebhook): Promise<TestOutcome>;
  /** The endpoint's log, newest first; `page` from 1. */
  list(webhookId: WebhookId, page: DeliveryPage): Promise<DeliveryList>;
  /** The latest of each that was attempted; absent where none was. */
  last(webhookIds: readonly WebhookId[]): Promise<ReadonlyMap<WebhookId, Delivery>>;
  /**
   * Makes a delivery due now, with a fresh schedule, whatever became of it before. Null: it is none
   * of this endpoint's. While the endpoint is disabled nothing is sent.
   */
  retry(webhookId: WebhookId, deliveryId: string): Promise<Delivery | null>;
}

export interface TestedWebhook {
  readonly webhookId: WebhookId;
  readonly organisationId: OrganisationId;
  readonly url: string;
  /** `whsec_…`, all that sign now. */
  readonly secrets: readonly string[];
}

export interface TestOutcome {
  /** Whether a 2xx came. */
  readonly delivered: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: WebhookTrouble | null;
}

export interface DeliveryPage {
  readonly page: number;
  readonly limit: number;
}

export interface DeliveryList {
  readonly items: readonly Delivery[];
  readonly total: number;
}

/** One event for one endpoint, and what became of it. Times are ISO 8601. */
export interface Delivery {
  /** A ULID; what receivers get as `webhook-id`. */
  readonly id: string;
  readonly type: WebhookEventKind;
  readonly status: DeliveryStatus;
  /** Of the event. */
  readonly createdAt: string;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  /** Null unless pending. */
  readonly nextAttemptAt: string | null;
  /** Of the latest attempt; the error is null where a status came. */
  readonly responseStatus: number | null;
  readonly error: DeliveryTrouble | null;
  readonly durationMs: number | null;
}

/** `held`: the endpoint was disabled before it was delivered; it can be sent again. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'held';

/** `nothing to send`: what the event is about cannot be read any more. `internal fault`: ours. */
export type DeliveryTrouble = WebhookTrouble | 'nothing to send' | 'internal fault';

/** What a delivery tells of: enough to find it when it is sent. */
export interface WebhookSubject {
  readonly kind: WebhookEventKind;
  readonly organisationId: OrganisationId;
  /** The id of the proof, document, workspace, run (as its stream has it) or endpoint. */
  readonly resourceId: string;
  /** Of a document: the first upload of its chain; otherwise null. */
  readonly rootId: string | null;
  /** Of the event in the log: what is read must have come as far. */
  readonly position: number;
}

/**
 * Builds the `data` of a delivery: the resource as its GET shows it now, without what webhooks never
 * tell. Null where it cannot be read any more. Rejects where it cannot be read now.
 */
export type BuildWebhookData = (
  subject: WebhookSubject,
) => Promise<Readonly<Record<string, unknown>> | null>;
