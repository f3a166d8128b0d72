import { workerData } from 'node:worker_threads';
import { projections } from '../../projections/registry.ts';
import { StoreUnavailable } from '../event-store/connection-loss.ts';
import { createEventStore } from '../event-store/create-event-store.ts';
import { openDatabase } from '../event-store/database.ts';
import { createKeyring } from '../event-store/keyring.ts';
import { maxPageBytes } from '../event-store/log-page.ts';
import type { Projection } from '../subscriptions/projection.ts';
import { serveOrders } from '../threads/serve-orders.ts';
import type { DatabaseThread } from './database-thread.ts';
import { type HandedEvents, handOverEvents } from './handed-events.ts';

/** An order to read a stretch of the log for a projection. */
export interface ReadingOrder {
  readonly projection: string;
  readonly after: number;
  readonly upTo: number;
}

/** A page of the log; null if the database cannot be reached. */
export type ReadingAnswer = {
  readonly events: HandedEvents;
  readonly position: number;
  readonly isCut: boolean;
  readonly bytes: number;
} | null;

const pageSize = 1_000;
/** Stored data of a stretch after which it is cut. A page may add as much again. */
const maxStretchBytes = maxPageBytes;

const { url, masterKeys, maxConnections } = workerData as DatabaseThread;
const { pool } = openDatabase(url, { maxConnections });
const keyring = createKeyring(pool, {
  present: Buffer.from(masterKeys.present),
  former: masterKeys.former.map((key) => Buffer.from(key)),
});
const store = createEventStore({ pool, keyring });

serveOrders<ReadingOrder, ReadingAnswer>(async ({ projection: name, after, upTo }) => {
  const projection = projections.find((one) => one.name === name);
  if (projection === undefined) throw new TypeError(`no projection ${name}`);
  try {
    return { answer: await read(projection, after, upTo) };
  } catch (error) {
    if (error instanceof StoreUnavailable) return { answer: null };
    throw error;
  }
});

/** Reads in small pages, so that the events of a page are garbage while V8 still finds it cheap. */
async function read(projection: Projection, after: number, upTo: number): Promise<ReadingAnswer> {
  const events: unknown[] = [];
  let bytes = 0;
  for (let position = after; ; ) {
    const end = Math.min(position + pageSize, upTo);
    const page = await store.readPage(position, pageSize, projection.types, end);
    for (const value of handOverEvents(projection, page.events)) events.push(value);
    position = page.position;
    bytes += page.bytes;
    const isFull = bytes >= maxStretchBytes;
    // A page with an event at each of its positions counts as cut, although it is whole.
    if (position < end || end === upTo || isFull) {
      return { events, position, isCut: position < upTo && (page.isCut || isFull), bytes };
    }
  }
}
