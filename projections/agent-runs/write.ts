import { sql, type Transaction } from 'kysely';
import type { RunRecorded } from '../../src/domain/run/events.ts';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { Named } from '../../src/subscriptions/projection.ts';
import { type ColumnTypes, rowSet } from '../documents/row-set.ts';
import { decisionRows, detailsRow, runRow, type TermRow, termRows } from './rows.ts';
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
  agent_run_details: {
    run: 'bigint',
    organisation_id: 'text',
    run_id: 'text',
    reports_protection: 'boolean',
    record: 'text',
  },
  agent_run_documents: { proof_id: 'text', organisation_id: 'text', run_id: 'text' },
  agent_decisions: { run: 'bigint', index: 'smallint', decision: 'text' },
  agent_decision_terms: {
    term: 'bytea',
    through: 'bigint',
    run: 'bigint',
    decisions: 'integer',
    indexes: 'smallint[]',
  },
};

/** Writes runs with their decisions, in one statement per table for any number of runs. */
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
  const terms = await countThrough(trx, inOrder(events.flatMap(termRows)), named);
  await insert('agent_decision_terms', terms);
}

/** Sorts the rows in the order of the index, so that each of its pages is written once. */
function inOrder(rows: readonly TermRow[]): readonly TermRow[] {
  return rows.toSorted((one, other) => Buffer.compare(one.term, other.term) || one.run - other.run);
}

/** Continues the running total of each term. */
async function countThrough(
  trx: Transaction<StoreTables>,
  rows: readonly TermRow[],
  named: Named,
): Promise<AgentRunsTables['agent_decision_terms'][]> {
  const { rows: known } = await sql<{ term: Buffer; through: number }>`
    SELECT wanted.term, last.through
    FROM unnest(${[...new Map(rows.map(({ term }) => [keyOf(term), term])).values()]}::bytea[])
      AS wanted(term)
    CROSS JOIN LATERAL (
      SELECT through FROM ${sql.table(named('agent_decision_terms'))}
      WHERE term = wanted.term ORDER BY through DESC LIMIT 1
    ) last`.execute(trx);
  const counts = new Map(known.map(({ term, through }) => [keyOf(term), through]));
  return rows.map((row) => {
    const through = (counts.get(keyOf(row.term)) ?? 0) + row.decisions;
    counts.set(keyOf(row.term), through);
    return { ...row, through };
  });
}

function keyOf(term: Buffer): string {
  return term.toString('latin1');
}
