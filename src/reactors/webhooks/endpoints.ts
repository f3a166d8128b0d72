import { type Kysely, sql, type Transaction } from 'kysely';
import type { OrganisationErased } from '../../domain/organisation/events.ts';
import type { OrganisationId, WebhookId } from '../../domain/ulid.ts';
import type { WebhookEventKind } from '../../domain/webhook/event-kind.ts';
import type { WebhookEvent } from '../../domain/webhook/events.ts';
import type { StoreTables } from '../../event-store/database.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';

/** An endpoint with the data that enqueuing needs. */
export interface Endpoint {
  readonly webhookId: WebhookId;
  readonly organisationId: OrganisationId;
  readonly kinds: readonly WebhookEventKind[];
  readonly active: boolean;
  /** Position of the registration. Earlier events are not delivered. */
  readonly since: number;
}

/** The endpoints of some organisations, as of the last folded event. */
export class Endpoints {
  readonly #known = new Map<WebhookId, Endpoint>();
  readonly #ofOrganisation = new Map<string, Map<WebhookId, Endpoint>>();
  readonly #changed = new Set<WebhookId>();
  readonly #afresh = new Set<WebhookId>();
  /** Position of the last disabling of each endpoint in these events. */
  readonly #disabled = new Map<WebhookId, number>();

  constructor(known: readonly Endpoint[]) {
    for (const endpoint of known) this.#set(endpoint);
  }

  /** Folds an event; ignores events that do not concern endpoints. */
  observe(event: StoredEvent): void {
    if (event.type === 'OrganisationErased') {
      this.#forgetAll(event.data.organisationId);
      return;
    }
    if (!isWebhookEvent(event)) return;
    const { webhookId } = event.data;
    const before = this.#known.get(webhookId);
    const after = evolve(before, event);
    if (after === before) return;
    if (after === undefined) this.#delete(webhookId);
    else this.#set(after);
    this.#changed.add(webhookId);
    if (event.type === 'WebhookDisabled') this.#disabled.set(webhookId, event.position);
    if (startsAfresh(event)) this.#afresh.add(webhookId);
  }

  #forgetAll(organisationId: OrganisationId): void {
    for (const webhookId of [...(this.#ofOrganisation.get(organisationId)?.keys() ?? [])]) {
      this.#delete(webhookId);
      this.#changed.add(webhookId);
    }
  }

  #set(endpoint: Endpoint): void {
    const { webhookId, organisationId } = endpoint;
    this.#known.set(webhookId, endpoint);
    const own = this.#ofOrganisation.get(organisationId) ?? new Map<WebhookId, Endpoint>();
    this.#ofOrganisation.set(organisationId, own.set(webhookId, endpoint));
  }

  #delete(webhookId: WebhookId): void {
    const { organisationId = null } = this.#known.get(webhookId) ?? {};
    this.#known.delete(webhookId);
    if (organisationId !== null) this.#ofOrganisation.get(organisationId)?.delete(webhookId);
  }

  #of(organisationId: string | null): readonly Endpoint[] {
    return [...(this.#ofOrganisation.get(organisationId ?? '')?.values() ?? [])];
  }

  get(webhookId: WebhookId): Endpoint | undefined {
    return this.#known.get(webhookId);
  }

  /** True if the organisation has an endpoint, whatever it subscribes to. */
  isListening(organisationId: string | null): boolean {
    return this.#of(organisationId).length > 0;
  }

  /** Position at which the organisation's oldest endpoint was registered; null if it has none. */
  oldestOf(organisationId: string): number | null {
    const own = this.#of(organisationId).map(({ since }) => since);
    return own.length === 0 ? null : Math.min(...own);
  }

  /** Endpoints, including disabled ones, that subscribe to a kind which this event raises. */
  listening(
    { organisationId, position }: Pick<StoredEvent, 'organisationId' | 'position'>,
    kind: WebhookEventKind,
  ): readonly Endpoint[] {
    return this.#of(organisationId).filter(
      ({ since, kinds }) => since < position && kinds.includes(kind),
    );
  }

  /** True if the endpoint was disabled after this position. */
  wasDisabledAfter({ webhookId }: Endpoint, position: number): boolean {
    return (this.#disabled.get(webhookId) ?? 0) > position;
  }

  /**
   * Writes the changes. Holds the pending deliveries of disabled endpoints, and deletes the
   * deliveries of deleted ones.
   */
  async save(trx: Transaction<StoreTables>): Promise<void> {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    const gone = changed.filter((webhookId) => !this.#known.has(webhookId));
    const kept = changed.flatMap((webhookId) => this.#known.get(webhookId) ?? []);
    await sql`DELETE FROM webhook_deliveries WHERE webhook_id = ANY(${gone}::text[])`.execute(trx);
    await sql`
      UPDATE webhook_deliveries SET status = 'held', due_at = NULL
      WHERE webhook_id = ANY(${[...this.#disabled.keys()]}::text[]) AND status = 'pending'`.execute(
      trx,
    );
    await sql`DELETE FROM webhook_endpoints WHERE webhook_id = ANY(${gone}::text[])`.execute(trx);
    for (const endpoint of kept) await this.#saveOne(trx, endpoint);
  }

  async #saveOne(trx: Transaction<StoreTables>, endpoint: Endpoint): Promise<void> {
    const { webhookId, organisationId, kinds, active, since } = endpoint;
    const isFresh = this.#afresh.has(webhookId);
    await sql`
      INSERT INTO webhook_endpoints AS old (webhook_id, organisation_id, kinds, active, since)
      VALUES (${webhookId}, ${organisationId}, ${kinds}::text[], ${active}, ${since})
      ON CONFLICT (webhook_id) DO UPDATE SET
        kinds = excluded.kinds, active = excluded.active, since = excluded.since,
        failing_since = CASE WHEN ${isFresh} THEN NULL ELSE old.failing_since END,
        resting_until = CASE WHEN ${isFresh} THEN NULL ELSE old.resting_until END`.execute(trx);
  }
}

/** Loads the endpoints of these organisations, as folded so far. */
export async function loadEndpoints(
  db: Kysely<StoreTables>,
  organisationIds: readonly string[],
): Promise<Endpoints> {
  const { rows } = await sql<EndpointRow>`
    SELECT webhook_id, organisation_id, kinds, active, since FROM webhook_endpoints
    WHERE organisation_id = ANY(${organisationIds}::text[])`.execute(db);
  return new Endpoints(
    rows.map((row) => ({
      webhookId: row.webhook_id,
      organisationId: row.organisation_id,
      kinds: row.kinds,
      active: row.active,
      since: row.since,
    })),
  );
}

/** Types of event that are folded. */
export const endpointTypes = [
  'OrganisationErased',
  'WebhookRegistered',
  'WebhookChanged',
  'WebhookDisabled',
  'WebhookEnabled',
  'WebhookDeleted',
] as const satisfies readonly (WebhookEvent | OrganisationErased)['type'][];

/**
 * Types of event that reset an endpoint's failure record. A change may set another URL, which cannot
 * be read here and has no failures yet.
 */
export const startingAfresh = [
  'WebhookEnabled',
  'WebhookChanged',
] as const satisfies readonly (typeof endpointTypes)[number][];

type EndpointEvent = StoredEvent & {
  type: Exclude<(typeof endpointTypes)[number], 'OrganisationErased'>;
};

interface EndpointRow {
  readonly webhook_id: WebhookId;
  readonly organisation_id: OrganisationId;
  readonly kinds: readonly WebhookEventKind[];
  readonly active: boolean;
  readonly since: number;
}

function isWebhookEvent(event: StoredEvent): event is EndpointEvent {
  return (endpointTypes as readonly string[]).includes(event.type);
}

function startsAfresh({ type }: EndpointEvent): boolean {
  return (startingAfresh as readonly string[]).includes(type);
}

/** Folds clear fields only, so that events of an erased organisation fold like others. */
function evolve(before: Endpoint | undefined, event: EndpointEvent): Endpoint | undefined {
  if (event.type === 'WebhookRegistered') {
    const { webhookId, organisationId, events } = event.data;
    return { webhookId, organisationId, kinds: events, active: true, since: event.position };
  }
  if (before === undefined) return undefined;
  switch (event.type) {
    case 'WebhookChanged':
      return { ...before, kinds: event.data.events };
    case 'WebhookDisabled':
      return { ...before, active: false };
    case 'WebhookEnabled':
      return { ...before, active: true };
    case 'WebhookDeleted':
      return undefined;
  }
}
