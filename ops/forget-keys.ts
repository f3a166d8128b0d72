import type pg from 'pg';
import type { KeyId, OrganisationId } from '../src/domain/ulid.ts';
import { forgetKeyUses } from '../src/http/key-uses.ts';
import {
  forgetSubjects,
  subjectOfKey,
  subjectOfOrganisation,
} from '../src/http/limits/count-calls.ts';
import type { ReadModels } from '../src/subscriptions/projection.ts';

/** Deletes what is counted and noted of the calls of an organisation, by the keys that the log knows. */
export async function forgetKeysOf(
  { pool, db }: { readonly pool: pg.Pool; readonly db: ReadModels },
  organisationId: OrganisationId,
): Promise<void> {
  const { rows } = await pool.query<{ key: KeyId }>(
    `SELECT substr(stream, length('key-') + 1) AS key FROM events
     WHERE organisation_id = $1 AND type = 'KeyIssued'`,
    [organisationId],
  );
  const keyIds = rows.map(({ key }) => key);
  await forgetSubjects(pool, [...keyIds.map(subjectOfKey), subjectOfOrganisation(organisationId)]);
  await forgetKeyUses(db, keyIds);
}
