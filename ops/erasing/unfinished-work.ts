import { sql } from 'kysely';
import type pg from 'pg';
import { documents } from '../../projections/documents/project.ts';
import { countUnsettled } from '../../projections/documents/query.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import { countFileWork } from '../../src/subscriptions/file-work.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';

/**
 * Unfinished work of an organisation. Once the organisation is closed, none of these counts grows.
 */
export interface UnfinishedWork {
  /** Proofs that are neither anchored nor given up. */
  readonly proofs: number;
  /** Processes that receive its files, make its certificates or test its endpoints. */
  readonly files: number;
  /** Deliveries to its endpoints with an unexpired lease (one minute), also of a killed process. */
  readonly deliveries: number;
}

/** Counts work in flight, as of the head of the log. */
export async function countUnfinishedWork(
  deps: { readonly pool: pg.Pool; readonly db: ReadModels; readonly store: EventStore },
  organisationId: OrganisationId,
): Promise<UnfinishedWork> {
  const { pool, db, store } = deps;
  // Count files before proofs: file work that ends by appending an event is then counted at least
  // once.
  const files = await countFileWork(pool, organisationId);
  await catchUp({ db, store, projections: [documents], position: await store.head() });
  const proofs = await countUnsettled(db, organisationId);
  return { proofs, files, deliveries: await countDeliveries(db, organisationId) };
}

async function countDeliveries(db: ReadModels, organisationId: OrganisationId): Promise<number> {
  const { rows } = await sql<{ deliveries: number }>`
    SELECT count(*) AS deliveries FROM webhook_deliveries
    WHERE due_at IS NOT NULL AND leased_until > now() AND webhook_id IN (
      SELECT webhook_id FROM webhook_endpoints WHERE organisation_id = ${organisationId})`.execute(
    db,
  );
  return rows[0]?.deliveries ?? 0;
}

export function isIdle({ proofs, files, deliveries }: UnfinishedWork): boolean {
  return proofs + files + deliveries === 0;
}

export function unfinishedWorkInWords({ proofs, files, deliveries }: UnfinishedWork): string {
  const parts = [
    ...(proofs > 0 ? [`open proofs: ${proofs}`] : []),
    ...(files > 0
      ? [`processes working on its files, certificates or endpoint tests: ${files}`]
      : []),
    ...(deliveries > 0 ? [`webhook deliveries in flight: ${deliveries}`] : []),
  ];
  return parts.join(', ');
}
