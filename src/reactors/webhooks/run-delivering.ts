import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { merge, type Observable, retry, Subject, timer } from 'rxjs';
import type { WebhookId } from '../../domain/ulid.ts';
import { pullOnHints } from '../../subscriptions/pull-loop.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import type { Deliver } from './deliver.ts';
import { DeliverySlots, type SlotLimits } from './delivery-slots.ts';
import type { Claim, Outcome } from './outcome.ts';
import { recordOutcomes } from './record-outcomes.ts';

export interface DeliveringOptions {
  readonly pool: pg.Pool;
  readonly deliver: Deliver;
  /** Tells that something may have become due; also from time to time. */
  readonly hints: Observable<void>;
  /** Disables an endpoint that has done nothing but fail for days. */
  readonly disable: (webhookId: WebhookId, reason: 'failing') => Promise<void>;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  readonly limits?: SlotLimits;
  /** How long deliveries under way may take to end once told to stop. */
  readonly graceMs?: number;
}

const defaultLimits: SlotLimits = { healthy: 512, failing: 128, perEndpoint: 16 };
const retryMs = 1_000;
/** Deliveries that end within it are recorded together, and their slots filled together. */
const gatherMs = 10;

/**
 * Claims and makes deliveries, for ever, in as many processes as one likes. Returns what ends it:
 * deliveries under way are waited for, then cut off and left to others; all that came to an end is
 * recorded.
 */
export function runDelivering(options: DeliveringOptions): () => Promise<void> {
  const { pool, deliver, disable, newId, now, onError, graceMs = 3_000 } = options;
  const slots = new DeliverySlots(options.limits ?? defaultLimits);
  const underWay = new Set<Promise<void>>();
  const cancelled = new AbortController();
  const ended = new Subject<void>();
  let finished: Outcome[] = [];
  let stopping = false;

  const make = async (claim: Claim) => {
    const outcome = await deliver(claim, cancelled.signal);
    // Only now: by then the list may be another.
    finished.push(outcome);
    ended.next();
  };
  const begin = (claim: Claim) => {
    slots.take(claim);
    const making = make(claim).finally(() => underWay.delete(making));
    underWay.add(making);
  };
  const record = async () => {
    const batch = finished;
    if (batch.length === 0) return;
    finished = [];
    let failing: readonly string[];
    try {
      failing = await recordOutcomes(pool, batch, now());
    } catch (error) {
      finished.push(...batch);
      throw error;
    }
    for (const { claim } of batch) slots.leave(claim);
    for (const webhookId of failing) await disable(webhookId as WebhookId, 'failing');
  };
  const claim = async () => {
    const { room, busy } = slots;
    if (stopping || (room.healthy <= 0 && room.failing <= 0)) return 0;
    const claims = await claimDeliveries(pool, { ...room, busy }, newId(), now());
    for (const one of claims) begin(one);
    return claims.length;
  };
  const step = async () => {
    do {
      if (underWay.size + finished.length > 0) await delay(gatherMs);
      await record();
    } while ((await claim()) > 0);
  };

  let stepping: Promise<void> = Promise.resolve();
  const pull = () => {
    stepping = step();
    return stepping;
  };
  const later = (error: unknown) => {
    onError(error);
    return timer(retryMs);
  };
  const running = pullOnHints(merge(options.hints, ended), pull)
    .pipe(retry({ delay: later }))
    .subscribe();

  return async () => {
    stopping = true;
    running.unsubscribe();
    await stepping.catch(() => {});
    const settled = () =>
      Promise.race([Promise.all(underWay), delay(graceMs, undefined, { ref: false })]);
    await settled();
    cancelled.abort();
    // What does not even end then is left to its lease.
    await settled();
    await record().catch(onError);
  };
}
