import { sql } from 'kysely';
import type pg from 'pg';
import { documents } from '../projections/documents/project.ts';
import { countUnsettled } from '../projections/documents/query.ts';
import type { OrganisationId } from '../src/domain/ulid.ts';
import type { EventStore } from '../src/event-store/event-store.ts';
import { catchUp } from '../src/subscriptions/catch-up.ts';
import { countFileWork } from '../src/subscriptions/file-work.ts';
import type { ReadModels } from '../src/subscriptions/projection.ts';

/** What of an organisation is not at its end. Once it is closed, none of these grows. */
export interface InFlight {
  /** Proofs that are neither anchored nor given up. */
  readonly proofs: number;
  /** Processes in which files of it are being received, certificates made, or endpoints tested. */
  readonly files: number;
  /** Deliveries to its endpoints that some process is making, or died making less than a minute ago. */
  readonly deliveries: number;
}

/** Counts what is in flight, as of the head of the log. */
export async function countInFlight(
  deps: { readonly pool: pg.Pool; readonly db: ReadModels; readonly store: EventStore },
  organisationId: OrganisationId,
): Promise<InFlight> {
  const { pool, db, store } = deps;
  // In this order: what ends as an event, a file or a proof, is counted before and after that.
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

export function isIdle({ proofs, files, deliveries }: InFlight): boolean {
  return proofs + files + deliveries === 0;
}

export function inFlightInWords({ proofs, files, deliveries }: InFlight): string {
  const parts = [
    ...(proofs > 0 ? [`proofs that are not settled: ${proofs}`] : []),
    ...(files > 0 ? [`processes with files or tests of endpoints under way: ${files}`] : []),
    ...(deliveries > 0 ? [`deliveries being made: ${deliveries}`] : []),
  ];
  return parts.join(', ');
}
