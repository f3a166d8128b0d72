import type pg from 'pg';
import { secondEvidenceWaitHours } from '../domain/proof/due-proof.ts';

const mostCounted = 10_000;

/**
 * Counts certificates that lack signatures and whose successors can be issued now, up to
 * `mostCounted`. `hasTokens`: those that wait for a time-stamp token do not count. So these are rows of
 * `dueSuccessors` or `dueStampedSuccessors` (`projections/evidence/query.ts`), without closed
 * organisations. 0 before the read models exist, as at the first start.
 */
export async function countDueSuccessors(
  client: pg.ClientBase,
  hasTokens: boolean,
): Promise<number> {
  const tables = ['bare_certificates', 'unstamped_certificates', 'timestamps'];
  const present = await client.query<{ isWhole: boolean }>(
    `SELECT bool_and(to_regclass(name) IS NOT NULL) AS "isWhole" FROM unnest($1::text[]) AS name`,
    [hasTokens ? tables : tables.slice(0, 1)],
  );
  if (present.rows[0]?.isWhole !== true) return 0;
  const { rows } = await client.query<{ due: string | number }>(
    `SELECT count(*) AS due FROM (
       SELECT FROM bare_certificates b
       WHERE is_due AND NOT EXISTS (
         SELECT FROM closed_organisations c WHERE c.organisation_id = b.organisation_id)
         ${hasTokens ? `AND NOT EXISTS (${awaited})` : ''}
       LIMIT $1) AS counted`,
    [mostCounted],
  );
  return Number(rows[0]?.due ?? 0);
}

const awaited = `
  SELECT FROM unstamped_certificates u
  WHERE u.proof_id = b.proof_id AND u.issued_at >= now() - make_interval(hours => ${secondEvidenceWaitHours})
    AND u.position > (SELECT coalesce(max(size), 0) FROM timestamps)`;
