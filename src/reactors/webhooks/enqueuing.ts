import { sql, type Transaction } from 'kysely';
import type { Network } from '../../domain/network.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { LogFolder } from '../../subscriptions/projection.ts';
import { deliveryIdOf } from '../../webhooks/delivery-id.ts';
import { AttestedProofs, attestingTypes } from './attested-proofs.ts';
import { deliveriesChannel } from './delivery-log.ts';
import { type Endpoint, type Endpoints, endpointTypes, loadEndpoints } from './endpoints.ts';
import { type Raised, raisedBy, raisingTypes } from './raised-events.ts';
import {
  findSettledUploads,
  settlingKind,
  settlingTypes,
  type UploadReader,
} from './settled-uploads.ts';

/** Name of the checkpoint of enqueuing. */
export const enqueuingName = 'webhook deliveries';

interface EnqueuingDeps {
  readonly store: UploadReader;
  readonly now: () => Date;
  /**
   * Networks whose validators this service listens to: nothing attests proofs on others. Default:
   * all.
   */
  readonly networks?: readonly Network[];
}

/**
 * Turns events into deliveries, exactly once per event and endpoint: the rows are written in the
 * transaction of the checkpoint. Endpoints are folded from the same events, so that each receives
 * exactly the events after its registration. Not in the list of projections: no rebuild reaches it,
 * and a migration creates its checkpoint once.
 */
export function enqueuing({ store, now, networks }: EnqueuingDeps): LogFolder {
  return {
    name: enqueuingName,
    version: 1,
    types: [...new Set([...endpointTypes, ...raisingTypes, ...settlingTypes, ...attestingTypes])],
    // A delivery contains the run's position; the content is looked up when the delivery is sent.
    headersOf: ['RunRecorded'],
    async project(trx, events) {
      const known = await loadEndpoints(trx, organisationsOf(events));
      const begun = registeringIn(events);
      const mayListen = (id: string) => known.isListening(id) || begun.has(id);
      const deps = { store, networks: networks ?? null, mayListen };
      const proofs = await AttestedProofs.load(trx, events, deps);
      const { organisations } = proofs;
      const endpoints =
        organisations.length === 0
          ? known
          : await loadEndpoints(trx, [...organisationsOf(events), ...organisations]);
      const enqueued = await findDeliveries(store, events, endpoints, proofs);
      // Saving holds earlier deliveries of endpoints that were disabled, so it comes first.
      await endpoints.save(trx);
      if (enqueued.length > 0) await insertDeliveries(trx, enqueued, endpoints, now());
      await proofs.save(trx);
    },
  };
}

/** A delivery to enqueue. */
interface Enqueued {
  readonly raised: Raised;
  readonly event: StoredEvent;
  readonly to: Endpoint;
}

/** Folds the events in order: a change to an endpoint applies to the events after it. */
async function findDeliveries(
  store: UploadReader,
  events: readonly StoredEvent[],
  endpoints: Endpoints,
  proofs: AttestedProofs,
): Promise<readonly Enqueued[]> {
  const enqueued: Enqueued[] = [];
  const perhaps = new Map<StoredEvent, readonly Endpoint[]>();
  for (const event of events) {
    endpoints.observe(event);
    for (const raised of raisedBy(event)) {
      const listening = endpoints.listening(event, raised.kind);
      enqueued.push(...listening.map((to) => ({ raised, event, to })));
    }
    for (const proof of proofs.raisedBy(event, endpoints)) {
      const kind = 'proof.attested';
      const raised = { kind, resourceId: proof.proofId, rootId: null } as const;
      const listening = endpoints.listening(proof, kind);
      enqueued.push(...listening.map((to) => ({ raised, event, to })));
    }
    const kind = settlingKind(event);
    const listening = kind === null ? [] : endpoints.listening(event, kind);
    if (listening.length > 0) perhaps.set(event, listening);
  }
  const settled = await findSettledUploads(store, [...perhaps.keys()]);
  for (const [event, raised] of settled) {
    enqueued.push(...(perhaps.get(event) ?? []).map((to) => ({ raised, event, to })));
  }
  return enqueued.filter(({ to }) => endpoints.get(to.webhookId) !== undefined);
}

/** Inserts the deliveries, and notifies listeners when the transaction commits. */
async function insertDeliveries(
  trx: Transaction<StoreTables>,
  enqueued: readonly Enqueued[],
  endpoints: Endpoints,
  now: Date,
): Promise<void> {
  const column = <Value>(of: (one: Enqueued) => Value) => enqueued.map(of);
  const isActive = ({ to, event: { position } }: Enqueued) =>
    to.active && !endpoints.wasDisabledAfter(to, position);
  await sql`
    INSERT INTO webhook_deliveries (id, webhook_id, organisation_id, kind, resource_id, root_id,
                                    position, occurred_at, status, due_at)
    SELECT id, webhook_id, organisation_id, kind, resource_id, root_id, position, occurred_at,
           CASE WHEN active THEN 'pending' ELSE 'held' END,
           CASE WHEN active THEN ${now}::timestamptz END
    FROM unnest(
      ${column(({ raised, event, to }) => idOf({ raised, event, to }))}::text[],
      ${column(({ to }) => to.webhookId)}::text[],
      ${column(({ to }) => to.organisationId)}::text[],
      ${column(({ raised }) => raised.kind)}::text[],
      ${column(({ raised }) => raised.resourceId)}::text[],
      ${column(({ raised }) => raised.rootId)}::text[],
      ${column(({ event }) => event.position)}::bigint[],
      ${column(({ event }) => event.recordedAt)}::text[],
      ${column(isActive)}::boolean[]
    ) AS enqueued(id, webhook_id, organisation_id, kind, resource_id, root_id, position, occurred_at,
              active)
    ON CONFLICT (id) DO NOTHING`.execute(trx);
  await sql`SELECT pg_notify(${deliveriesChannel}, '')`.execute(trx);
}

function idOf({ raised: { kind, resourceId }, event: { eventId }, to }: Enqueued): string {
  // One event of a ledger attests all its proofs.
  return deliveryIdOf(eventId, kind, to.webhookId, kind === 'proof.attested' ? resourceId : null);
}

/** Organisations that register an endpoint in these events. */
function registeringIn(events: readonly StoredEvent[]): ReadonlySet<string> {
  const registered = events.filter(({ type }) => type === 'WebhookRegistered');
  return new Set(registered.flatMap(({ organisationId }) => organisationId ?? []));
}

function organisationsOf(events: readonly StoredEvent[]): readonly string[] {
  return [...new Set(events.flatMap(({ organisationId }) => organisationId ?? []))];
}
