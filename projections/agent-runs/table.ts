import { sql, type Transaction } from 'kysely';
import type { RunMode } from '../../src/domain/run/report.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * A run is called by the position of its event, which is the order of lists.
 *
 * - `agent_runs` is what runs are filtered by, narrow: its second index holds all of it, and so every
 *   filter on runs is one reading of that index.
 * - `agent_run_details` is what lists show of a run, as JSON.
 * - `agent_decisions` are the kept decisions of a run, as JSON, by their index from 0.
 * - `agent_decision_terms` tells for each value that decisions are found by (`termOf`) the decisions
 *   of each run that have it: their number and their indexes, null for all. `through` counts them
 *   from the first run on, which never changes, since runs do not: the last one is the total, and a
 *   page is where its numbers are.
 */
export type AgentRunsTables = {
  agent_runs: {
    run: number;
    organisation_id: string;
    workspace_id: string | null;
    mode: RunMode | null;
    /** `hashOf` the text: an index takes no longer ones than some 2,700 bytes. */
    objective: Buffer | null;
    /** To the nanosecond (`canonicalInstant`). */
    finished_at: string | null;
    protected: boolean;
    /** How many are kept. */
    decisions: number;
  };
  agent_run_details: {
    run: number;
    organisation_id: string;
    run_id: string;
    record: string;
  };
  agent_decisions: { run: number; index: number; decision: string };
  agent_decision_terms: {
    term: Buffer;
    through: number;
    run: number;
    decisions: number;
    /** Ascending, from 0. */
    indexes: readonly number[] | null;
  };
};

export const agentRunsTables: readonly (keyof AgentRunsTables)[] = [
  'agent_runs',
  'agent_run_details',
  'agent_decisions',
  'agent_decision_terms',
];

export async function createAgentRunsTables(
  trx: Transaction<StoreTables>,
  named: Named,
): Promise<void> {
  const table = (name: keyof AgentRunsTables) => sql.table(named(name));
  await sql`
    CREATE TABLE ${table('agent_runs')} (
      run bigint PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      workspace_id text COLLATE "C",
      mode text COLLATE "C",
      objective bytea,
      finished_at text COLLATE "C",
      protected boolean NOT NULL,
      decisions integer NOT NULL
    )`.execute(trx);
  await sql`
    CREATE UNIQUE INDEX ON ${table('agent_runs')} (organisation_id, run)
    INCLUDE (workspace_id, mode, objective, finished_at, protected, decisions)`.execute(trx);
  await sql`
    CREATE TABLE ${table('agent_run_details')} (
      run bigint PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      record text NOT NULL
    )`.execute(trx);
  await sql`
    CREATE UNIQUE INDEX ON ${table('agent_run_details')} (organisation_id, run_id)`.execute(trx);
  await sql`
    CREATE TABLE ${table('agent_decisions')} (
      run bigint NOT NULL,
      index smallint NOT NULL,
      decision text NOT NULL,
      PRIMARY KEY (run, index)
    )`.execute(trx);
  await sql`
    CREATE TABLE ${table('agent_decision_terms')} (
      term bytea NOT NULL,
      through bigint NOT NULL,
      run bigint NOT NULL,
      decisions integer NOT NULL,
      indexes smallint[],
      PRIMARY KEY (term, through) INCLUDE (run, decisions)
    )`.execute(trx);
}
