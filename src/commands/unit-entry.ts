import { AllowanceExceeded } from '../domain/allowance/allowance-exceeded.ts';
import { returnUnit, takeUnit, usedAfter } from '../domain/allowance/decide.ts';
import type { AllowanceEvent } from '../domain/allowance/events.ts';
import { streams } from '../domain/streams.ts';
import type { DocumentId, OrganisationId } from '../domain/ulid.ts';
import type { EventStore, StreamAppend } from '../event-store/event-store.ts';

/**
 * The part of an append that charges a document to a month's allowance (`limit` null: unlimited).
 * Throws `AllowanceExceeded`. Appended with the document's events it can neither be lost nor counted
 * twice.
 */
export function takenUnitEntry(
  store: Pick<EventStore, 'readLast'>,
  month: { readonly organisationId: OrganisationId; readonly month: string },
  limit: number | null,
  documentId: DocumentId,
): Promise<StreamAppend> {
  return entry(store, month, (used) => takeUnit(used, limit, documentId));
}

/** The part of an append that gives a document's unit back to the month it was charged to. */
export function returnedUnitEntry(
  store: Pick<EventStore, 'readLast'>,
  month: { readonly organisationId: OrganisationId; readonly month: string },
  documentId: DocumentId,
): Promise<StreamAppend> {
  return entry(store, month, (used) => returnUnit(used, documentId));
}

async function entry(
  store: Pick<EventStore, 'readLast'>,
  { organisationId, month }: { readonly organisationId: OrganisationId; readonly month: string },
  decide: (used: number) => readonly AllowanceEvent[],
): Promise<StreamAppend> {
  const stream = streams.allowance(organisationId, month);
  const last = await store.readLast(stream);
  const used = usedAfter(last);
  return { organisationId, stream, expectedVersion: last?.version ?? 0, events: decide(used) };
}

/** Throws `AllowanceExceeded` if nothing is left of the month as things stand; the append decides. */
export async function checkUnitLeft(
  store: Pick<EventStore, 'readLast'>,
  { organisationId, month }: { readonly organisationId: OrganisationId; readonly month: string },
  limit: number | null,
): Promise<void> {
  if (limit === null) return;
  const last = await store.readLast(streams.allowance(organisationId, month));
  const used = usedAfter(last);
  if (used >= limit) throw new AllowanceExceeded(used, limit);
}
