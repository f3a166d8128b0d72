import type { DeliveryTrouble, WebhookAnswer, WebhookSubject } from '../../webhooks/contract.ts';
import { retryAfter } from '../../webhooks/retry-after.ts';
import { pauseAfter } from '../../webhooks/retry-schedule.ts';

/** A delivery that this worker may make until the lease ends. */
export interface Claim extends WebhookSubject {
  readonly id: string;
  readonly webhookId: string;
  /** Time of the event, ISO 8601. */
  readonly occurredAt: string;
  /** Number of failures since the delivery's schedule began. */
  readonly failures: number;
  readonly lease: string;
  /** Value of `performance.now()` before the lease began. */
  readonly claimedAt: number;
  /** True if the endpoint has only failed so far. */
  readonly failing: boolean;
}

/** An attempt to send a delivery. */
export interface Attempt {
  /** Time at which it began. */
  readonly at: Date;
  /** Version of the endpoint's stream that the address was read from. */
  readonly endpointVersion: number;
  readonly url: string;
}

/** Outcome of a claim, as it is recorded. */
export interface DeliveryOutcome {
  readonly claim: Claim;
  readonly status: 'pending' | 'delivered' | 'failed' | 'held';
  /** Set while pending. */
  readonly dueAt: Date | null;
  readonly failures: number;
  /** Null if nothing was sent, or if that is unknown: then the attempt does not count. */
  readonly attempt: (Attempt & { readonly answer: WebhookAnswer }) | null;
  readonly trouble: DeliveryTrouble | null;
  /** Time until which the endpoint asks not to be called. */
  readonly restingUntil: Date | null;
}

/** Upper bound on a pause: an endpoint that asks for more may still accept other events. */
const longestRestMs = 3_600_000;

/** Outcome of an attempt. Only a 2xx status is a success. */
export function deliveryOutcome(
  claim: Claim,
  attempt: Attempt,
  answer: WebhookAnswer,
  now: Date,
  random: number,
): DeliveryOutcome {
  const { status } = answer;
  const made = {
    claim,
    attempt: { ...attempt, answer },
    trouble: answer.error,
    restingUntil: null,
  };
  if (status !== null && status >= 200 && status < 300) {
    return { ...made, status: 'delivered', dueAt: null, failures: claim.failures };
  }
  const askedMs = retryAfter(status, answer.retryAfter, now);
  const restMs = askedMs === null ? null : Math.min(askedMs, longestRestMs);
  const restingUntil = restMs === null ? null : new Date(now.getTime() + restMs);
  return { ...made, ...nextAttempt(claim, askedMs, now, random), restingUntil };
}

/** Outcome of an internal fault: scheduled like a failure, but not counted against the endpoint. */
export function faulty(claim: Claim, now: Date, random: number): DeliveryOutcome {
  const none = { attempt: null, trouble: 'internal fault', restingUntil: null } as const;
  return { claim, ...none, ...nextAttempt(claim, null, now, random) };
}

function nextAttempt(
  claim: Claim,
  askedMs: number | null,
  now: Date,
  random: number,
): Pick<DeliveryOutcome, 'status' | 'dueAt' | 'failures'> {
  const failures = claim.failures + 1;
  const pauseMs = pauseAfter(failures, askedMs, random);
  if (pauseMs === null) return { status: 'failed', dueAt: null, failures };
  return { status: 'pending', dueAt: new Date(now.getTime() + pauseMs), failures };
}

/** Outcome if nothing was sent, or if that is unknown. Any worker may claim it again at `dueAt`. */
export function released(claim: Claim, dueAt: Date): DeliveryOutcome {
  const { failures } = claim;
  const unknown = { attempt: null, trouble: null, restingUntil: null };
  return { claim, status: 'pending', dueAt, failures, ...unknown };
}

/** Outcome of a claim whose endpoint is disabled. */
export function held(claim: Claim): DeliveryOutcome {
  return { ...released(claim, new Date(0)), status: 'held', dueAt: null };
}

/** Outcome of a claim whose resource cannot be read any more. */
export function pointless(claim: Claim): DeliveryOutcome {
  return { ...held(claim), status: 'failed', trouble: 'nothing to send' };
}
