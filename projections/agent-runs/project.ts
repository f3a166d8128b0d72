import { sql } from 'kysely';
import type { RunEvent } from '../../src/domain/run/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { type ErasableProjection, erasable } from '../../src/subscriptions/erasable.ts';
import { type DocumentOfRunEvent, writeDocumentsOfRuns } from './documents-of-runs.ts';
import { markProtected } from './mark-protected.ts';
import { agentRunsTables, createAgentRunsTables } from './table.ts';
import { writeRuns } from './write.ts';

type AgentRunsEvent = StoredEvent<RunEvent | DocumentOfRunEvent>;

/** Sweeps of agents and their decisions, and which of the sweeps protected something. */
export const agentRuns: ErasableProjection = erasable({
  name: 'agent-runs',
  version: 2,
  types: [
    'RunRecorded',
    'DocumentStored',
    'RevisionChained',
    'AnchorRefused',
    'ProofWithdrawn',
  ] satisfies AgentRunsEvent['type'][],
  largeTypes: ['RunRecorded'],
  tables: agentRunsTables,
  create: createAgentRunsTables,
  async project(trx, events, named) {
    // List nothing of an erased organisation.
    const own = (events as readonly AgentRunsEvent[]).filter((event) => !event.erased);
    const runs = own.filter((event) => event.type === 'RunRecorded');
    const others = own.filter((event) => event.type !== 'RunRecorded');
    if (runs.length > 0) await writeRuns(trx, runs, named);
    const changed = await writeDocumentsOfRuns(trx, others, named);
    await markProtected(trx, [...runs.map(({ data }) => data), ...changed], named);
  },
  async erase(trx, organisationIds, named) {
    const table = (name: (typeof agentRunsTables)[number]) => sql.table(named(name));
    const theirs = sql`organisation_id = ANY(${organisationIds}::text[])`;
    const runs = sql`SELECT run FROM ${table('agent_runs')} WHERE ${theirs}`;
    await sql`DELETE FROM ${table('agent_decisions')} WHERE run IN (${runs})`.execute(trx);
    // This reads the whole table: its index is by term, not by run.
    await sql`DELETE FROM ${table('agent_decision_terms')} WHERE run IN (${runs})`.execute(trx);
    const owned = ['agent_run_documents', 'agent_run_details', 'agent_runs'] as const;
    for (const name of owned) await sql`DELETE FROM ${table(name)} WHERE ${theirs}`.execute(trx);
  },
});
