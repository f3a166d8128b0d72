import type { Kysely } from 'kysely';
import type pg from 'pg';
import { concatMap, merge, type Observable, retry, timer } from 'rxjs';
import { disableWebhook } from '../../commands/disable-webhook.ts';
import type { Network } from '../../domain/network.ts';
import type { WebhookId } from '../../domain/ulid.ts';
import type { DisabledReason } from '../../domain/webhook/events.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type { EventStore, LogReader } from '../../event-store/event-store.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import type { LogFolder } from '../../subscriptions/projection.ts';
import { runProjector } from '../../subscriptions/projector.ts';
import type { BuildWebhookData, WebhookSender } from '../../webhooks/contract.ts';
import { createDeliver } from './deliver.ts';
import { pruneDeleted, pruneDeliveries } from './delivery-log.ts';
import { enqueuing } from './enqueuing.ts';
import { type DeliveringOptions, runDelivering } from './run-delivering.ts';
import { pruneUnattested } from './unattested-proofs.ts';

interface WebhooksOptions extends Pick<DeliveringOptions, 'limits' | 'graceMs'> {
  readonly pool: pg.Pool;
  readonly db: Kysely<StoreTables>;
  readonly store: EventStore;
  /** Reads the log for enqueuing; default `store`. */
  readonly tail?: LogReader;
  /** Hints of new events in the log, and of due deliveries (`deliveriesChannel`). */
  readonly log: LogSignal;
  readonly deliveries: Pick<LogSignal, 'hints'>;
  readonly sender: WebhookSender;
  readonly buildData: BuildWebhookData;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly random: () => number;
  /** As in `enqueuing`. */
  readonly networks?: readonly Network[];
  /** Returns the same folder with its work observed. */
  readonly observed?: (folder: LogFolder) => LogFolder;
  /** Called with errors after which the work is tried again. */
  readonly onError: (error: unknown) => void;
  /** Called when an endpoint is disabled because of its responses. */
  readonly onDisabled: (webhookId: WebhookId, reason: DisabledReason) => void;
}

const retryMs = 1_000;
const pruneEveryMs = 3_600_000;

/**
 * Enqueues and makes deliveries until stopped, and prunes the delivery log and the waiting proofs. Any number of processes
 * may run it: one at a time enqueues, all of them deliver. Returns a function that stops it.
 */
export function runWebhooks(options: WebhooksOptions): () => Promise<void> {
  const { pool, db, store, tail = store, log, deliveries, now, onError, onDisabled } = options;
  const { observed = (folder) => folder, networks } = options;
  const disable = async (webhookId: WebhookId, reason: DisabledReason, url?: string) => {
    const order = { webhookId, reason, url };
    const isDisabled = await disableWebhook(store, order, { actor: 'webhooks' });
    if (isDisabled) onDisabled(webhookId, reason);
  };
  const stopDelivering = runDelivering({
    ...options,
    deliver: createDeliver({ ...options, disable }),
    hints: deliveries.hints,
    disable,
  });
  const projection = observed(enqueuing({ store, now, ...(networks && { networks }) }));
  const running = merge(
    runProjector({ db, store: tail, signal: log, projection, onError }),
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
    await pruneDeleted(pool);
    while ((await pruneUnattested(pool, now())) > 0);
  };
  const later = (error: unknown) => {
    onError(error);
    return timer(retryMs);
  };
  return timer(0, pruneEveryMs).pipe(concatMap(prune), retry({ delay: later }));
}
