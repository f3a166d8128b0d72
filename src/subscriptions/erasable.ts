import type { Transaction } from 'kysely';
import type { OrganisationErased } from '../domain/organisation/events.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { StoreTables } from '../event-store/database.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import type { Named, Projection } from './projection.ts';

export interface ErasableProjection extends Projection {
  /**
   * Deletes every row made from these organisations' events. No later event can add rows:
   * OrganisationErased is an organisation's last event.
   */
  erase(
    trx: Transaction<StoreTables>,
    organisationIds: readonly OrganisationId[],
    named: Named,
  ): Promise<void>;
}

/**
 * Wraps a projection so that an organisation's rows are deleted when the organisation is erased, in
 * every version that follows the log. A later rebuild produces the same rows. It makes none from
 * events that cannot be read any more, or makes and then deletes them.
 */
export function erasable(projection: ErasableProjection): ErasableProjection {
  return {
    ...projection,
    types: [...projection.types, 'OrganisationErased'],
    async project(trx, events, named) {
      const own = events.filter((event) => !isErasure(event));
      if (own.length > 0) await projection.project(trx, own, named);
      const erased = events.filter(isErasure).map(({ data }) => data.organisationId);
      if (erased.length > 0) await projection.erase(trx, erased, named);
    },
  };
}

export function isErasable(projection: Projection): projection is ErasableProjection {
  return 'erase' in projection;
}

function isErasure(event: StoredEvent): event is StoredEvent<OrganisationErased> {
  return event.type === 'OrganisationErased';
}
