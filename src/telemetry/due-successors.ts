import type pg from 'pg';

const mostCounted = 10_000;

/**
 * Counts certificates whose successors can be issued now, up to `mostCounted`. 0 before the read model
 * exists, as at the first start.
 */
export async function countDueSuccessors(client: pg.ClientBase): Promise<number> {
  const view = await client.query<{ name: string | null }>(
    `SELECT to_regclass('bare_certificates')::text AS name`,
  );
  if ((view.rows[0]?.name ?? null) === null) return 0;
  const { rows } = await client.query<{ due: string | number }>(
    'SELECT count(*) AS due FROM (SELECT FROM bare_certificates WHERE is_due LIMIT $1) AS counted',
    [mostCounted],
  );
  return Number(rows[0]?.due ?? 0);
}
