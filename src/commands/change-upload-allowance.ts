import { changeUploadAllowance as decide } from '../domain/organisation/decide.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { decideOnOrganisation } from './decide-on-organisation.ts';

/** Sets how many documents a calendar month (UTC) takes; null is unlimited. Refuses with ORGANISATION_NOT_FOUND. */
export async function changeUploadAllowance(
  store: EventStore,
  organisationId: OrganisationId,
  uploadAllowance: number | null,
  meta: EventMeta,
): Promise<void> {
  await decideOnOrganisation(
    store,
    organisationId,
    (state) => decide(state, uploadAllowance),
    meta,
  );
}
