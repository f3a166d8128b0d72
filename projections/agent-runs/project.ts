import { sql } from 'kysely';
import type { RunEvent } from '../../src/domain/run/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { agentRunsTables, createAgentRunsTables } from './table.ts';
import { writeRuns } from './write.ts';

/** Sweeps of agents and their decisions. */
export const agentRuns: ErasableProjection = erasable({
  name: 'agent-runs',
  version: 1,
  types: ['RunRecorded'] satisfies RunEvent['type'][],
  hasLargeEvents: true,
  tables: agentRunsTables,
  create: createAgentRunsTables,
  async project(trx, events, named) {
    // List nothing of an erased organisation.
    const own = (events as readonly StoredEvent<RunEvent>[]).filter((event) => !event.erased);
    if (own.length > 0) await writeRuns(trx, own, named);
  },
  async erase(trx, organisationIds, named) {
    const table = (name: (typeof agentRunsTables)[number]) => sql.table(named(name));
    const runs = sql`
      SELECT run FROM ${table('agent_runs')}
      WHERE organisation_id = ANY(${organisationIds}::text[])`;
    await sql`DELETE FROM ${table('agent_decisions')} WHERE run IN (${runs})`.execute(trx);
    // This reads the whole table: its index is by term, not by run.
    await sql`DELETE FROM ${table('agent_decision_terms')} WHERE run IN (${runs})`.execute(trx);
    await sql`DELETE FROM ${table('agent_run_details')} WHERE run IN (${runs})`.execute(trx);
    await sql`
      DELETE FROM ${table('agent_runs')}
      WHERE organisation_id = ANY(${organisationIds}::text[])`.execute(trx);
  },
});
