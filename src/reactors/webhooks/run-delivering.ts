import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { merge, type Observable, retry, Subject, timer } from 'rxjs';
import type { WebhookId } from '../../domain/ulid.ts';
import { pullOnHints } from '../../subscriptions/pull-loop.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import type { Deliver } from './deliver.ts';
import { DeliveriesUnderWay, type SlotLimits } from './deliveries-under-way.ts';
import type { Claim, DeliveryOutcome } from './outcome.ts';
import { type FailingEndpoint, recordOutcomes } from './record-outcomes.ts';

export interface DeliveringOptions {
  readonly pool: pg.Pool;
  readonly deliver: Deliver;
  /** Emits when a delivery may have become due, and from time to time. */
  readonly hints: Observable<void>;
  /** Disables an endpoint that has only failed for days, unless its URL is another one by now. */
  readonly disable: (webhookId: WebhookId, reason: 'failing', url: string) => Promise<void>;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  readonly limits?: SlotLimits;
  /** Time that deliveries under way have to end after a stop. */
  readonly graceMs?: number;
}

const defaultLimits: SlotLimits = { healthy: 512, failing: 128, perEndpoint: 16 };
const retryMs = 1_000;
/**
 * Deliveries that end within this time are recorded together, and their slots are filled together.
 */
const gatherMs = 10;

/**
 * Claims and makes deliveries until stopped, in any number of processes. Returns a function that
 * stops it, waits for deliveries under way, cancels the rest for others to make, and records all
 * outcomes.
 */
export function runDelivering(options: DeliveringOptions): () => Promise<void> {
  const { pool, deliver, disable, newId, now, onError, graceMs = 3_000 } = options;
  const deliveries = new DeliveriesUnderWay(options.limits ?? defaultLimits);
  const underWay = new Set<Promise<void>>();
  const cancelled = new AbortController();
  const ended = new Subject<void>();
  let finished: DeliveryOutcome[] = [];
  let stopping = false;

  const make = async (claim: Claim) => {
    const outcome = await deliver(claim, cancelled.signal);
    // Read `finished` only after the delivery: it may be another list by then.
    finished.push(outcome);
    ended.next();
  };
  const begin = (claim: Claim) => {
    deliveries.take(claim);
    const making = make(claim).finally(() => underWay.delete(making));
    underWay.add(making);
  };
  const record = async () => {
    const batch = finished;
    if (batch.length === 0) return;
    finished = [];
    let failing: readonly FailingEndpoint[];
    try {
      failing = await recordOutcomes(pool, batch, now());
    } catch (error) {
      finished.push(...batch);
      throw error;
    }
    for (const { claim } of batch) deliveries.leave(claim);
    for (const { webhookId, url } of failing) await disable(webhookId, 'failing', url);
  };
  const claim = async () => {
    const { room, busy } = deliveries;
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
    // Deliveries that still have not ended are left to their leases.
    await settled();
    await record().catch(onError);
  };
}
