import { sql, type Transaction } from 'kysely';
import type { RunRecorded } from '../../src/domain/run/events.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import { type ColumnTypes, rowSet } from '../documents/row-set.ts';
import { decisionRows, detailsRow, runRow, termRows } from './rows.ts';
import type { AgentRunsTables } from './table.ts';

type TypesOf = { readonly [Name in keyof AgentRunsTables]: ColumnTypes<AgentRunsTables[Name]> };

const types: TypesOf = {
  agent_runs: {
    run: 'bigint',
    organisation_id: 'text',
    workspace_id: 'text',
    mode: 'text',
    objective: 'bytea',
    finished_at: 'text',
    protected: 'boolean',
    decisions: 'integer',
  },
  agent_run_details: { run: 'bigint', organisation_id: 'text', run_id: 'text', record: 'text' },
  agent_decisions: { run: 'bigint', index: 'smallint', decision: 'text' },
  agent_decision_terms: {
    term: 'bytea',
    run: 'bigint',
    decisions: 'integer',
    indexes: 'smallint[]',
  },
};

/** Writes runs with their decisions: a statement for each table, however many they are. */
export async function writeRuns(
  trx: Transaction<StoreTables>,
  events: readonly StoredEvent<RunRecorded>[],
  named: Named,
): Promise<void> {
  const insert = async <Name extends keyof AgentRunsTables>(
    name: Name,
    rows: readonly AgentRunsTables[Name][],
  ) => {
    if (rows.length === 0) return;
    const set = rowSet<AgentRunsTables[Name]>(rows, types[name]);
    await sql`
      INSERT INTO ${sql.table(named(name))} (${set.columns})
      SELECT ${set.values} FROM ${set.from}`.execute(trx);
  };
  await insert('agent_runs', events.map(runRow));
  await insert('agent_run_details', events.map(detailsRow));
  await insert('agent_decisions', events.flatMap(decisionRows));
  await insert('agent_decision_terms', inOrder(events.flatMap(termRows)));
}

/** In the order of the index, whose pages are then each written once. */
function inOrder(rows: readonly AgentRunsTables['agent_decision_terms'][]) {
  return rows.toSorted((one, other) => Buffer.compare(one.term, other.term) || one.run - other.run);
}
