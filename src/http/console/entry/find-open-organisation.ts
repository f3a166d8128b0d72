import type { Organisation } from '../../../domain/organisation/state.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { OrganisationId } from '../../../domain/ulid.ts';
import type { EventStore } from '../../../event-store/event-store.ts';
import { loadOrganisation } from '../../../loading/load-organisation.ts';

export interface FindingDeps {
  readonly store: EventStore;
}

/** The organisation; null if it does not exist, or is closed or erased. */
export async function findOpenOrganisation(
  { store }: Pick<FindingDeps, 'store'>,
  organisationId: OrganisationId,
): Promise<Organisation | null> {
  try {
    const organisation = await loadOrganisation(store, organisationId);
    return organisation.closed ? null : organisation;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
