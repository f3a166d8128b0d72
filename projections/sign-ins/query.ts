import type { OrganisationId, PersonId } from '../../src/domain/ulid.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import type { SignInsTables } from './table.ts';

/** A person of an organisation, to be compared with the log. */
export interface FoundPerson {
  readonly organisationId: OrganisationId;
  readonly personId: PersonId;
}

/**
 * People of all organisations who have this identity, or this address (null: none). They are few: one
 * person of an organisation has an address, and operators create organisations.
 */
export async function findSignIns(
  db: ReadModels,
  indexes: { readonly identity: string; readonly address: string | null },
): Promise<readonly FoundPerson[]> {
  const rows = await db
    .$extendTables<SignInsTables>()
    .selectFrom('sign_ins')
    .select(['organisation_id', 'person_id'])
    .where((eb) =>
      eb.or([
        eb('identity_index', '=', indexes.identity),
        eb('address_index', '=', indexes.address ?? ''),
      ]),
    )
    .orderBy('organisation_id')
    .orderBy('person_id')
    .execute();
  return rows.map((row) => ({
    organisationId: row.organisation_id as OrganisationId,
    personId: row.person_id as PersonId,
  }));
}
