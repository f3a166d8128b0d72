import type { OrganisationId, WebhookId } from '../domain/ulid.ts';
import type { WebhookEventKind } from '../domain/webhook/event-kind.ts';

/** Rules for the URL of an endpoint. The first two are for development. */
export interface EndpointRules {
  readonly allowHttp: boolean;
  /** True to allow addresses that are not public. */
  readonly allowPrivate: boolean;
  /** Null: any. */
  readonly ports: readonly number[] | null;
}

/** Makes one HTTP request to an endpoint. */
export interface WebhookSender {
  /**
   * Posts the body, within 15 s in total, to a public address of the URL's host. Redirects are not
   * followed, and at most 64 KiB of the answer are read. Never rejects: failures are in the answer.
   * When `cancelled` aborts, the call ends at once, and the request may have arrived.
   */
  send(request: WebhookRequest, cancelled: AbortSignal): Promise<WebhookAnswer>;
  /**
   * Checks the form of an endpoint's URL and every address that its name has now. Returns the
   * mistake in words that follow the URL's name, or null. A name that does not resolve is accepted,
   * since every connection repeats the check. Never rejects.
   */
  checkUrl(url: string): Promise<string | null>;
  /** Closes idle connections. */
  close(): void;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookAnswer {
  /** Null if no status was received. */
  readonly status: number | null;
  /** Null if a status was received. */
  readonly error: WebhookTrouble | null;
  /** The header, unparsed. */
  readonly retryAfter: string | undefined;
  readonly durationMs: number;
}

/** Reason that no status was received. */
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

/** Operations of the API on deliveries. Rejects if the database is unavailable. */
export interface WebhookDeliveries {
  /** As `WebhookSender.checkUrl`. */
  checkUrl(url: string): Promise<string | null>;
  /** Sends `webhook.test` now, once, and records it in the delivery log. */
  test(webhook: TestedWebhook): Promise<TestOutcome>;
  /** The endpoint's deliveries, newest first; `page` counts from 1. */
  list(webhookId: WebhookId, page: DeliveryPage): Promise<DeliveryList>;
  /** The latest attempted delivery of each endpoint; absent if there is none. */
  last(webhookIds: readonly WebhookId[]): Promise<ReadonlyMap<WebhookId, Delivery>>;
  /** True if the endpoint has this delivery. */
  has(webhookId: WebhookId, deliveryId: string): Promise<boolean>;
  /**
   * Makes a delivery due now, with a fresh schedule, after any outcome. Null if the endpoint has no
   * such delivery. Nothing is sent while the endpoint is disabled.
   */
  retry(webhookId: WebhookId, deliveryId: string): Promise<Delivery | null>;
  /**
   * As `retry`, for the endpoint's failed and held deliveries of events since that time: at most
   * `most` of them, the oldest first. Tests are left out. Returns the number of those made due, and
   * of those that remain. `admit` is called before with the number, unless it is 0; if it rejects,
   * nothing is due, and the call rejects too. Calls for one endpoint run one after the other, in all
   * processes, so no delivery is admitted twice. Rejects with an `Unavailable` if other calls or `admit`
   * take too long; an `admit` that began may still take effect then.
   */
  retryFailed(
    of: { readonly organisationId: OrganisationId; readonly webhookId: WebhookId },
    order: { readonly since: Date; readonly most: number },
    admit: (deliveries: number) => Promise<void>,
  ): Promise<RetriedDeliveries>;
}

export interface TestedWebhook {
  readonly webhookId: WebhookId;
  readonly organisationId: OrganisationId;
  readonly url: string;
  /** `whsec_…`, all secrets that sign now. */
  readonly secrets: readonly string[];
}

export interface TestOutcome {
  /** True if the status was 2xx. */
  readonly delivered: boolean;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: WebhookTrouble | null;
}

export interface RetriedDeliveries {
  readonly retried: number;
  readonly remaining: number;
}

export interface DeliveryPage {
  readonly page: number;
  readonly limit: number;
}

export interface DeliveryList {
  readonly items: readonly Delivery[];
  readonly total: number;
}

/** One event for one endpoint, with its outcome. Times are ISO 8601. */
export interface Delivery {
  /** A ULID; sent to receivers as `webhook-id`. */
  readonly id: string;
  readonly type: WebhookEventKind;
  readonly status: DeliveryStatus;
  /** Time of the event. */
  readonly createdAt: string;
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  /** Null unless pending. */
  readonly nextAttemptAt: string | null;
  /** Of the latest attempt; `error` is null if a status was received. */
  readonly responseStatus: number | null;
  readonly error: DeliveryTrouble | null;
  readonly durationMs: number | null;
}

/** `held`: the endpoint was disabled before the delivery, which can be sent again. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'held';

/** `nothing to send`: the subject can no longer be read. `internal fault`: a bug of ours. */
export type DeliveryTrouble = WebhookTrouble | 'nothing to send' | 'internal fault';

/** The subject of a delivery: enough to find the resource when it is sent. */
export interface WebhookSubject {
  readonly kind: WebhookEventKind;
  readonly organisationId: OrganisationId;
  /** The id of the proof, document, workspace, run (as in its stream) or endpoint. */
  readonly resourceId: string;
  /** Of a document: the first upload of its chain; otherwise null. */
  readonly rootId: string | null;
  /** Position of the event in the log; the state that is read must include it. */
  readonly position: number;
}

/**
 * Builds the `data` of a delivery: the resource as its GET shows it now, without the members that
 * webhooks never carry. Null if the resource can no longer be read. Rejects if it cannot be read
 * now.
 */
export type BuildWebhookData = (
  subject: WebhookSubject,
) => Promise<Readonly<Record<string, unknown>> | null>;
