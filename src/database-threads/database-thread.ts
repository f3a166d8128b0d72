import { randomBytes } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { projections } from '../../projections/registry.ts';
import { createEventStore } from '../event-store/create-event-store.ts';
import { openDatabase } from '../event-store/database.ts';
import { asSeen, type SeenEvent } from '../event-store/high-water-mark.ts';
import { createKeyring } from '../event-store/keyring.ts';
import { newUlid } from '../event-store/new-ulid.ts';
import { handleOrder, parseOrder } from '../http/offload/handle-order.ts';
import type { BodyOrder, CallOrder } from '../http/offload/offload.ts';
import { answerOrder, handOverReply, type OffloadAnswer } from '../http/offload/offload-answer.ts';
import { createDeliveryLists } from '../reactors/webhooks/webhook-deliveries.ts';
import { projectNext } from '../subscriptions/projector.ts';
import { type EndedAppend, measureAppends } from '../telemetry/append-metrics.ts';
import type { WrittenBatch } from '../telemetry/contract.ts';
import { type HandedOver, report, serveOrders } from '../threads/serve-orders.ts';
import { createKnownLedgers } from '../views/known-ledgers.ts';

/** The thread's `workerData`. */
export interface DatabaseThread {
  readonly url: string;
  readonly masterKeys: { readonly present: Uint8Array; readonly former: readonly Uint8Array[] };
  readonly maxConnections: number;
  readonly answerWaitMs: number | undefined;
}

/**
 * An order to the thread. Outcomes: a `HandedReply` of `handle`, the parsed body of `parse`, the
 * position that `projectNext` returned of `fold`.
 */
export type DatabaseOrder =
  | { readonly do: 'handle'; readonly call: CallOrder }
  | { readonly do: 'parse'; readonly body: BodyOrder }
  | { readonly do: 'fold'; readonly projection: string };

/** An order, with the highest event that the process has seen (`HighWaterMark`). */
export interface DatabaseTask {
  readonly seen: SeenEvent | null;
  readonly order: DatabaseOrder;
}

/**
 * Reports of a thread: measurements of its appends, the highest event that it has seen, and the
 * finding that the database went back.
 */
export type DatabaseReport =
  | { readonly written: WrittenBatch }
  | { readonly ended: EndedAppend }
  | { readonly seen: SeenEvent }
  | { readonly wentBack: string };

const { url, masterKeys, maxConnections, answerWaitMs } = workerData as DatabaseThread;
const { db, pool, highWater } = openDatabase(url, {
  maxConnections,
  onWentBack: ({ finding }) => send({ wentBack: finding }),
});
const keyring = createKeyring(pool, {
  present: Buffer.from(masterKeys.present),
  former: masterKeys.former.map((key) => Buffer.from(key)),
});
const store = measureAppends(
  createEventStore({ pool, keyring, highWater, onWritten: (written) => send({ written }) }),
  (ended) => send({ ended }),
);
const ledgers = createKnownLedgers({ store, db });
const webhooks = createDeliveryLists({ pool, db, store });

serveOrders<DatabaseTask, OffloadAnswer>(async ({ seen, order }) => {
  if (seen !== null) highWater.see([asSeen(seen)]);
  const answer = await answerOrder(() => carryOut(order));
  // Before the answer, so that the process knows of every event that it confirms.
  if (highWater.highest !== null) send({ seen: highWater.highest });
  return answer;
});

async function carryOut(order: DatabaseOrder): Promise<HandedOver<unknown>> {
  switch (order.do) {
    case 'handle': {
      const { call } = order;
      const { network, publicUrl } = call;
      const ofCall = { network, publicUrl: () => publicUrl, newId: newUlid, randomBytes };
      const deps = { db, store, ledgers, webhooks, ...ofCall, answerWaitMs };
      return handOverReply(await handleOrder(call, deps));
    }
    case 'parse':
      return { answer: await parseOrder(order.body) };
    case 'fold': {
      const projection = projections.find(({ name }) => name === order.projection);
      if (projection === undefined) throw new TypeError(`no projection ${order.projection}`);
      return { answer: await projectNext(db, store, projection) };
    }
  }
}

function send(message: DatabaseReport): void {
  report(message);
}
