import { sql, type Transaction } from 'kysely';
import type { RunMode } from '../../src/domain/run/report.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { Named } from '../../src/subscriptions/projection.ts';

/**
 * `run` is the log position of a run's event. Lists are in this order.
 *
 * - `agent_runs` holds the filtered columns of runs. It is narrow: its second index holds all its
 *   columns, so every filter on runs reads that index once.
 * - `agent_run_details` holds the listed fields of a run, as JSON.
 * - `agent_run_documents` has a row for each document whose classification names a run, on record or
 *   not. `protected` of a run is true if its report says so, or if it has such a document.
 * - `agent_decisions` holds the kept decisions of a run, as JSON, by their index from 0.
 * - `agent_decision_terms` has a row per term (`termOf`) and run with matching decisions: their
 *   number and their indexes (null for all). `through` is the running total of the term from the
 *   first run on. Runs never change, so neither does `through`. Its last value is the total, and
 *   its values locate a page.
 */
export type AgentRunsTables = {
  agent_runs: {
    run: number;
    organisation_id: string;
    workspace_id: string | null;
    mode: RunMode | null;
    /** `hashOf` the text: an index entry has at most some 2,700 bytes. */
    objective: Buffer | null;
    /** To the nanosecond (`canonicalInstant`). */
    finished_at: string | null;
    protected: boolean;
    /** Number of decisions kept. */
    decisions: number;
  };
  agent_run_details: {
    run: number;
    organisation_id: string;
    run_id: string;
    /** True if the report itself says that the run protected something. */
    reports_protection: boolean;
    record: string;
  };
  agent_run_documents: { proof_id: string; organisation_id: string; run_id: string };
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
  'agent_run_documents',
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
      reports_protection boolean NOT NULL,
      record text NOT NULL
    )`.execute(trx);
  await sql`
    CREATE UNIQUE INDEX ON ${table('agent_run_details')} (organisation_id, run_id)`.execute(trx);
  await sql`
    CREATE TABLE ${table('agent_run_documents')} (
      proof_id text COLLATE "C" PRIMARY KEY,
      organisation_id text COLLATE "C" NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      UNIQUE (organisation_id, run_id, proof_id)
    )`.execute(trx);
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
