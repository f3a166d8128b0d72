import type { DeliveryTrouble, WebhookAnswer, WebhookSubject } from '../../webhooks/contract.ts';
import { retryAfter } from '../../webhooks/retry-after.ts';
import { pauseAfter } from '../../webhooks/retry-schedule.ts';

/** A delivery that this worker may make, until the lease is over. */
export interface Claim extends WebhookSubject {
  readonly id: string;
  readonly webhookId: string;
  /** When the event happened, ISO 8601. */
  readonly occurredAt: string;
  /** How often it failed since its schedule began. */
  readonly failures: number;
  readonly lease: string;
  /** As `performance.now()` counts, before the lease began. */
  readonly claimedAt: number;
  /** Whether nothing but failures is known of its endpoint. */
  readonly failing: boolean;
}

/** What became of a claim, as it is to be recorded. */
export interface Outcome {
  readonly claim: Claim;
  readonly status: 'pending' | 'delivered' | 'failed' | 'held';
  /** Set while pending. */
  readonly dueAt: Date | null;
  readonly failures: number;
  /** Null where nothing was sent, or nobody knows: then it does not count. */
  readonly attempt: { readonly at: Date; readonly answer: WebhookAnswer } | null;
  readonly trouble: DeliveryTrouble | null;
  /** Until when its endpoint asks to be left alone. */
  readonly restingUntil: Date | null;
}

/** A receiver that asks for more is served sooner: other events may still reach it. */
const longestRestMs = 3_600_000;

/** What an attempt that began at `at` comes to. Success is any 2xx, and nothing else is. */
export function outcomeOf(
  claim: Claim,
  at: Date,
  answer: WebhookAnswer,
  now: Date,
  random: number,
): Outcome {
  const { status } = answer;
  const made = { claim, attempt: { at, answer }, trouble: answer.error, restingUntil: null };
  if (status !== null && status >= 200 && status < 300) {
    return { ...made, status: 'delivered', dueAt: null, failures: claim.failures };
  }
  const askedMs = retryAfter(status, answer.retryAfter, now);
  const restMs = askedMs === null ? null : Math.min(askedMs, longestRestMs);
  const restingUntil = restMs === null ? null : new Date(now.getTime() + restMs);
  return { ...made, ...nextAttempt(claim, askedMs, now, random), restingUntil };
}

/** It could not be made, and not through its endpoint: as after a failure, but held against nobody. */
export function faulty(claim: Claim, now: Date, random: number): Outcome {
  const none = { attempt: null, trouble: 'internal fault', restingUntil: null } as const;
  return { claim, ...none, ...nextAttempt(claim, null, now, random) };
}

function nextAttempt(
  claim: Claim,
  askedMs: number | null,
  now: Date,
  random: number,
): Pick<Outcome, 'status' | 'dueAt' | 'failures'> {
  const failures = claim.failures + 1;
  const pauseMs = pauseAfter(failures, askedMs, random);
  if (pauseMs === null) return { status: 'failed', dueAt: null, failures };
  return { status: 'pending', dueAt: new Date(now.getTime() + pauseMs), failures };
}

/** Nothing was sent, or nobody knows: it is due again then, and any worker may have it. */
export function released(claim: Claim, dueAt: Date): Outcome {
  const { failures } = claim;
  const unknown = { attempt: null, trouble: null, restingUntil: null };
  return { claim, status: 'pending', dueAt, failures, ...unknown };
}

/** Nothing is sent to its endpoint now. */
export function held(claim: Claim): Outcome {
  return { ...released(claim, new Date(0)), status: 'held', dueAt: null };
}

/** What it is about cannot be read any more. */
export function pointless(claim: Claim): Outcome {
  return { ...held(claim), status: 'failed', trouble: 'nothing to send' };
}
