import { streams } from '../../domain/streams.ts';
import type { WebhookId } from '../../domain/ulid.ts';
import { webhookDecider } from '../../domain/webhook/decider.ts';
import { signingSecrets } from '../../domain/webhook/state.ts';
import { isConnectionLoss, StoreUnavailable } from '../../event-store/connection-loss.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { load } from '../../event-store/handling/load.ts';
import { ProjectionBehind } from '../../subscriptions/await-position.ts';
import type { BuildWebhookData, WebhookRequest, WebhookSender } from '../../webhooks/contract.ts';
import { deliveryBody } from '../../webhooks/delivery-body.ts';
import { sign } from '../../webhooks/sign.ts';
import {
  type Claim,
  type DeliveryOutcome,
  deliveryOutcome,
  faulty,
  held,
  pointless,
  released,
} from './outcome.ts';

interface DeliverDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly sender: WebhookSender;
  readonly buildData: BuildWebhookData;
  /** Disables an endpoint that answered 410, unless its URL is another one by now. */
  readonly disable: (webhookId: WebhookId, reason: 'gone', url: string) => Promise<void>;
  readonly now: () => Date;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Called with the error that prevented a delivery, which is tried again soon. */
  readonly onError: (error: unknown) => void;
}

/** Makes one claimed delivery. Never rejects. */
export type Deliver = (claim: Claim, cancelled: AbortSignal) => Promise<DeliveryOutcome>;

const tryAgainMs = 5_000;
/** Maximum age of a claim at the start of an attempt, so that its lease of 60 s suffices. */
const beginWithinMs = 40_000;

/**
 * Reads the current endpoint and resource, signs and sends. The endpoint's stream is read for every
 * attempt, so that nothing goes to an endpoint that was just deleted, disabled or changed.
 */
export function createDeliver(deps: DeliverDeps): Deliver {
  const { store, sender, buildData, disable, now, random, onError } = deps;
  const attempt = async (claim: Claim, cancelled: AbortSignal): Promise<DeliveryOutcome> => {
    const webhookId = claim.webhookId as WebhookId;
    const stream = streams.webhook(webhookId);
    const { state, version: endpointVersion } = await load(store, stream, webhookDecider);
    if (state.status !== 'active') return held(claim);
    const data = await buildData(claim);
    if (data === null) return pointless(claim);
    const isLate = performance.now() - claim.claimedAt > beginWithinMs;
    if (isLate || cancelled.aborted) return released(claim, now());
    const at = now();
    const message = { type: claim.kind, timestamp: claim.occurredAt, data };
    const { url } = state;
    const endpoint = { url, secrets: signingSecrets(state, at) };
    const request = requestOf(endpoint, claim.id, deliveryBody(message), at);
    const answer = await sender.send(request, cancelled);
    if (answer.error === 'cancelled') return released(claim, now());
    // Disable before recording the outcome: after a crash in between, the delivery is repeated.
    if (answer.status === 410) await disable(webhookId, 'gone', url);
    return deliveryOutcome(claim, { at, endpointVersion, url }, answer, now(), random());
  };
  return async (claim, cancelled) => {
    try {
      return await attempt(claim, cancelled);
    } catch (error) {
      onError(error);
      return isAway(error)
        ? released(claim, new Date(now().getTime() + tryAgainMs))
        : faulty(claim, now(), random());
    }
  };
}

/** Returns true if the database did not answer, or is behind. */
function isAway(error: unknown): boolean {
  const isBehind = error instanceof ProjectionBehind;
  return isBehind || error instanceof StoreUnavailable || isConnectionLoss(error);
}

/** The signed request of an attempt. Each of `secrets` signs it. */
export function requestOf(
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  id: string,
  body: string,
  at: Date,
): WebhookRequest {
  const timestampSeconds = Math.floor(at.getTime() / 1_000);
  const signature = sign({ id, timestampSeconds, body }, secrets);
  const headers = { ...signature, 'content-type': 'application/json', 'user-agent': userAgent };
  return { url, headers, body };
}

const userAgent = 'Proofmark-Webhooks/1.0';
