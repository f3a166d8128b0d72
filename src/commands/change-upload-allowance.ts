import { organisationDecider } from '../domain/organisation/decider.ts';
import type { Organisation } from '../domain/organisation/state.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { handleOrganisation } from './handle-organisation.ts';

/**
 * Sets the number of documents per calendar month (UTC); null is unlimited. Refuses with
 * ORGANISATION_NOT_FOUND.
 */
export async function changeUploadAllowance(
  store: EventStore,
  organisationId: OrganisationId,
  uploadAllowance: number | null,
  meta: EventMeta,
): Promise<void> {
  const decide = (organisation: Organisation) =>
    organisationDecider.changeUploadAllowance(organisation, uploadAllowance);
  await handleOrganisation(store, organisationId, decide, meta);
}
