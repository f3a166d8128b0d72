import type pg from 'pg';

const mostCounted = 10_000;

/**
 * Counts certificates whose successors can be issued now, up to `mostCounted`: the rows of
 * `dueSuccessors` (`projections/evidence/query.ts`), so without closed organisations. 0 before the
 * read model exists, as at the first start.
 */
export async function countDueSuccessors(client: pg.ClientBase): Promise<number> {
  const view = await client.query<{ name: string | null }>(
    `SELECT to_regclass('bare_certificates')::text AS name`,
  );
  if ((view.rows[0]?.name ?? null) === null) return 0;
  const { rows } = await client.query<{ due: string | number }>(
    `SELECT count(*) AS due FROM (
       SELECT FROM bare_certificates b
       WHERE is_due AND NOT EXISTS (
         SELECT FROM closed_organisations c WHERE c.organisation_id = b.organisation_id)
       LIMIT $1) AS counted`,
    [mostCounted],
  );
  return Number(rows[0]?.due ?? 0);
}
