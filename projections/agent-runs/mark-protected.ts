import { sql, type Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import type { AgentRunsTables } from './table.ts';

/** A run by its id; it need not be on record. */
export interface NamedRun {
  readonly organisationId: string;
  readonly runId: string;
}

/** Sets `protected` of these runs from their reports and their documents. */
export async function markProtected(
  trx: Transaction<StoreTables>,
  runs: readonly NamedRun[],
  named: Named,
): Promise<void> {
  if (runs.length === 0) return;
  const table = (name: keyof AgentRunsTables) => sql.table(named(name));
  const organisationIds = runs.map(({ organisationId }) => organisationId);
  const runIds = runs.map(({ runId }) => runId);
  await sql`
    UPDATE ${table('agent_runs')} r SET protected = now.protected
    FROM (
      SELECT DISTINCT d.run, d.reports_protection OR EXISTS (
        SELECT FROM ${table('agent_run_documents')} x
        WHERE x.organisation_id = d.organisation_id AND x.run_id = d.run_id
      ) AS protected
      FROM unnest(${organisationIds}::text[], ${runIds}::text[]) AS named(organisation_id, run_id)
      JOIN ${table('agent_run_details')} d USING (organisation_id, run_id)
    ) now
    WHERE r.run = now.run AND r.protected <> now.protected`.execute(trx);
}
