import { load } from '../../commands/load.ts';
import { streams } from '../../domain/streams.ts';
import type { WebhookId } from '../../domain/ulid.ts';
import { webhookDecider } from '../../domain/webhook/decider.ts';
import { signingSecrets } from '../../domain/webhook/state.ts';
import { isConnectionLoss, StoreUnavailable } from '../../event-store/connection-loss.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { ProjectionBehind } from '../../subscriptions/await-position.ts';
import type { BuildWebhookData, WebhookRequest, WebhookSender } from '../../webhooks/contract.ts';
import { deliveryBody } from '../../webhooks/delivery-body.ts';
import { sign } from '../../webhooks/sign.ts';
import {
  type Claim,
  faulty,
  held,
  type Outcome,
  outcomeOf,
  pointless,
  released,
} from './outcome.ts';

export interface DeliverDeps {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly sender: WebhookSender;
  readonly buildData: BuildWebhookData;
  /** Disables an endpoint that answered 410. */
  readonly disable: (webhookId: WebhookId, reason: 'gone') => Promise<void>;
  readonly now: () => Date;
  /** In [0, 1). */
  readonly random: () => number;
  /** Hears of what kept a delivery from being made; it is tried again soon. */
  readonly onError: (error: unknown) => void;
}

/** Makes one claimed delivery. Never rejects. */
export type Deliver = (claim: Claim, cancelled: AbortSignal) => Promise<Outcome>;

const tryAgainMs = 5_000;
/** Of a lease of 60 s: enough for the attempt must be left when it is begun. */
const beginWithinMs = 40_000;

/**
 * Reads endpoint and resource as they are now, signs, sends. The endpoint's stream is read for every
 * attempt, so that nothing goes to one that was deleted, disabled or changed a moment ago.
 */
export function createDeliver(deps: DeliverDeps): Deliver {
  const { store, sender, buildData, disable, now, random, onError } = deps;
  const attempt = async (claim: Claim, cancelled: AbortSignal): Promise<Outcome> => {
    const webhookId = claim.webhookId as WebhookId;
    const stream = streams.webhook(webhookId);
    const { state } = await load(store, stream, webhookDecider);
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
    // Before the outcome is on record: who dies in between learns it from the next attempt.
    if (answer.status === 410) await disable(webhookId, 'gone');
    return outcomeOf(claim, at, answer, now(), random());
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

/** Whether it is the database that could not be asked, or is behind. */
function isAway(error: unknown): boolean {
  const isBehind = error instanceof ProjectionBehind;
  return isBehind || error instanceof StoreUnavailable || isConnectionLoss(error);
}

/** The signed request of an attempt; `secrets` are all that sign then. */
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
