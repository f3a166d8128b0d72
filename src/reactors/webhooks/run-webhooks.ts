import type { Kysely } from 'kysely';
import type pg from 'pg';
import { concatMap, merge, type Observable, retry, timer } from 'rxjs';
import { disableWebhook } from '../../commands/disable-webhook.ts';
import type { WebhookId } from '../../domain/ulid.ts';
import type { DisabledReason } from '../../domain/webhook/events.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import type { LogFolder } from '../../subscriptions/projection.ts';
import { runProjector } from '../../subscriptions/projector.ts';
import type { BuildWebhookData, WebhookSender } from '../../webhooks/contract.ts';
import { createDeliver } from './deliver.ts';
import { pruneDeliveries } from './delivery-log.ts';
import { enqueuing } from './enqueuing.ts';
import { type DeliveringOptions, runDelivering } from './run-delivering.ts';

export interface WebhooksOptions extends Pick<DeliveringOptions, 'limits' | 'graceMs'> {
  readonly pool: pg.Pool;
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  /** Hints of the log, and of deliveries (`deliveriesChannel`). */
  readonly log: LogSignal;
  readonly deliveries: Pick<LogSignal, 'hints'>;
  readonly sender: WebhookSender;
  readonly buildData: BuildWebhookData;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly random: () => number;
  /** The same folder, observed at its work. */
  readonly observed?: (folder: LogFolder) => LogFolder;
  /** Hears of trouble that is tried again. */
  readonly onError: (error: unknown) => void;
  /** Hears of endpoints that are disabled because of how they answer. */
  readonly onDisabled: (webhookId: WebhookId, reason: DisabledReason) => void;
}

const retryMs = 1_000;
const pruneEveryMs = 3_600_000;

/**
 * Enqueues and delivers, for ever, and prunes the log. Any number of processes may: one of them
 * enqueues at a time, all of them deliver. Returns what ends it.
 */
export function runWebhooks(options: WebhooksOptions): () => Promise<void> {
  const { pool, db, store, log, deliveries, now, onError, onDisabled } = options;
  const { observed = (folder) => folder } = options;
  const disable = async (webhookId: WebhookId, reason: DisabledReason) => {
    await disableWebhook(store, { webhookId, reason }, { actor: 'webhooks' });
    onDisabled(webhookId, reason);
  };
  const stopDelivering = runDelivering({
    ...options,
    deliver: createDeliver({ ...options, disable }),
    hints: deliveries.hints,
    disable,
  });
  const projection = observed(enqueuing({ store, now }));
  const running = merge(
    runProjector({ db, store, signal: log, projection, onError }),
    pruning(pool, now, onError),
  ).subscribe();
  return async () => {
    running.unsubscribe();
    await stopDelivering();
  };
}

function pruning(
  pool: pg.Pool,
  now: () => Date,
  onError: (error: unknown) => void,
): Observable<unknown> {
  const prune = async () => {
    while ((await pruneDeliveries(pool, now())) > 0);
  };
  const later = (error: unknown) => {
    onError(error);
    return timer(retryMs);
  };
  return timer(0, pruneEveryMs).pipe(concatMap(prune), retry({ delay: later }));
}
