import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../event-store/database.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { LogFolder } from '../../subscriptions/projection.ts';
import { deliveryId } from '../../webhooks/delivery-id.ts';
import { deliveriesChannel } from './deliveries-channel.ts';
import { type Endpoint, type Endpoints, endpointTypes, loadEndpoints } from './endpoints.ts';
import { type Raised, raisedBy, raisingTypes } from './raised-events.ts';
import {
  findSettledUploads,
  settlingKind,
  settlingTypes,
  type UploadReader,
} from './settled-uploads.ts';

/** Under which name its checkpoint is kept. */
export const enqueuingName = 'webhook deliveries';

export interface EnqueuingDeps {
  readonly store: UploadReader;
  readonly now: () => Date;
}

/**
 * Turns events into deliveries, exactly once per event and endpoint: the rows are written in the
 * transaction of the checkpoint. Endpoints are folded from the same stretch of the log, so that each
 * is told what comes after its registration and nothing else. It is in no list of projections: no
 * rebuild reaches it, and its checkpoint is made by the migration, once.
 */
export function enqueuing({ store, now }: EnqueuingDeps): LogFolder {
  return {
    name: enqueuingName,
    version: 1,
    types: [...new Set([...endpointTypes, ...raisingTypes, ...settlingTypes])],
    // A delivery names the run's position; its content is looked up when it is sent.
    headersOf: ['RunRecorded'],
    async project(trx, events) {
      const endpoints = await loadEndpoints(trx, organisationsOf(events));
      const told = await findTold(store, events, endpoints);
      if (told.length > 0) await insertDeliveries(trx, told, endpoints, now());
      await endpoints.save(trx);
    },
  };
}

/** One delivery to be made. */
interface Told {
  readonly raised: Raised;
  readonly event: StoredEvent;
  readonly to: Endpoint;
}

/** Folds the events in their order: what is said of an endpoint holds for what comes after it. */
async function findTold(
  store: UploadReader,
  events: readonly StoredEvent[],
  endpoints: Endpoints,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  const perhaps = new Map<StoredEvent, readonly Endpoint[]>();
  for (const event of events) {
    endpoints.observe(event);
    for (const raised of raisedBy(event)) {
      const listening = endpoints.listening(event, raised.kind);
      told.push(...listening.map((to) => ({ raised, event, to })));
    }
    const kind = settlingKind(event);
    const listening = kind === null ? [] : endpoints.listening(event, kind);
    if (listening.length > 0) perhaps.set(event, listening);
  }
  const settled = await findSettledUploads(store, [...perhaps.keys()]);
  for (const [event, raised] of settled) {
    told.push(...(perhaps.get(event) ?? []).map((to) => ({ raised, event, to })));
  }
  return told.filter(({ to }) => endpoints.get(to.webhookId) !== undefined);
}

/** Whoever watches for deliveries hears of them when the transaction commits. */
async function insertDeliveries(
  trx: Transaction<StoreTables>,
  told: readonly Told[],
  endpoints: Endpoints,
  now: Date,
): Promise<void> {
  const column = <Value>(of: (one: Told) => Value) => told.map(of);
  const isActive = ({ to }: Told) => to.active && endpoints.get(to.webhookId)?.active === true;
  await sql`
    INSERT INTO webhook_deliveries (id, webhook_id, organisation_id, kind, resource_id, root_id,
                                    position, occurred_at, status, due_at)
    SELECT id, webhook_id, organisation_id, kind, resource_id, root_id, position, occurred_at,
           CASE WHEN active THEN 'pending' ELSE 'held' END,
           CASE WHEN active THEN ${now}::timestamptz END
    FROM unnest(
      ${column(({ raised, event, to }) => deliveryId(event.eventId, raised.kind, to.webhookId))}::text[],
      ${column(({ to }) => to.webhookId)}::text[],
      ${column(({ to }) => to.organisationId)}::text[],
      ${column(({ raised }) => raised.kind)}::text[],
      ${column(({ raised }) => raised.resourceId)}::text[],
      ${column(({ raised }) => raised.rootId)}::text[],
      ${column(({ event }) => event.position)}::bigint[],
      ${column(({ event }) => event.recordedAt)}::text[],
      ${column(isActive)}::boolean[]
    ) AS told(id, webhook_id, organisation_id, kind, resource_id, root_id, position, occurred_at,
              active)
    ON CONFLICT (id) DO NOTHING`.execute(trx);
  await sql`SELECT pg_notify(${deliveriesChannel}, '')`.execute(trx);
}

function organisationsOf(events: readonly StoredEvent[]): readonly string[] {
  return [...new Set(events.flatMap(({ organisationId }) => organisationId ?? []))];
}
