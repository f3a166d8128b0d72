import type { Queryable } from '../rows/read-rows.ts';
import type { SavedAnchoring, SavedState } from './saved-anchoring.ts';

export interface MissingProof {
  /** Name of the saved state that lacks it. */
  readonly name: string;
  readonly proofId: string;
  readonly organisationId: string;
  /** Number of proofs that this state lacks; the oldest `mostListed` of them are listed. */
  readonly count: number;
}

export const mostListed = 1_000;

/**
 * Proofs that wait to be anchored and were requested up to the position of a saved state, but are
 * not in it. Nothing is anchored for an organisation that is erased or has no key. `network` is a clear field,
 * and no value that a caller chooses is clear: its text is in no other place of the data.
 */
export async function findMissingProofs(
  database: Queryable,
  saved: readonly (SavedAnchoring & { readonly state: SavedState })[],
): Promise<readonly MissingProof[]> {
  const { rows } = await database.query<MissingProof>(
    `WITH open AS MATERIALIZED (
       SELECT e.position, e.organisation_id, substring(e.stream FROM 7) AS id FROM events e
       WHERE e.type = 'ProofRequested' AND NOT EXISTS (SELECT FROM events s
         WHERE s.stream = e.stream AND s.type IN ('Anchored', 'AnchorRefused', 'ProofWithdrawn'))),
     missing AS (
       SELECT saved.name, open.*, count(*) OVER one AS total,
         row_number() OVER (one ORDER BY position) AS place
       FROM open JOIN events e USING (position)
         JOIN unnest($1::text[], $2::text[], $3::int8[]) AS saved(name, network, through)
           ON position <= through AND strpos(e.data, network) > 0
       WHERE NOT EXISTS (SELECT FROM unnest($4::text[]) AS known(proof)
           WHERE proof = saved.name || ' ' || id)
         AND NOT EXISTS (SELECT FROM events o
           WHERE o.stream = 'organisation-' || open.organisation_id AND o.type = 'OrganisationErased')
         AND EXISTS (SELECT FROM data_keys k
           WHERE k.organisation_id = open.organisation_id AND k.purpose = 'data')
       WINDOW one AS (PARTITION BY saved.name))
     SELECT name, id AS "proofId", organisation_id AS "organisationId", total AS count
     FROM missing WHERE place <= ${mostListed} ORDER BY position`,
    [
      saved.map(({ name }) => name),
      saved.map(({ network }) => `"network":"${network}"`),
      saved.map(({ position }) => position),
      saved.flatMap(({ name, state }) => state.proofIds.map((id) => `${name} ${id}`)),
    ],
  );
  return rows;
}
