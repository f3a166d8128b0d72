import { canonicalInstant } from '../../src/domain/date-time.ts';
import type { Decision } from '../../src/domain/run/decision.ts';
import type { RunRecorded } from '../../src/domain/run/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import type { RunReported } from './record.ts';
import type { AgentRunsTables } from './table.ts';
import { type DecisionField, decisionFields, hashOf, runFields, termOf } from './term.ts';

type Recorded = StoredEvent<RunRecorded>;

export function runRow({ position, data }: Recorded): AgentRunsTables['agent_runs'] {
  const { organisationId, workspaceId, mode, objective, finishedAt, decisions } = data;
  return {
    run: position,
    organisation_id: organisationId,
    workspace_id: workspaceId,
    mode,
    objective: objective === null ? null : hashOf(objective),
    finished_at: finishedAt === null ? null : canonicalInstant(finishedAt),
    protected: data.reportsProtection,
    decisions: decisions.length,
  };
}

export function detailsRow({ position, data }: Recorded): AgentRunsTables['agent_run_details'] {
  const { organisationId, decisions: _, reportHash: __, ...reported } = data;
  const { reportsProtection, mayHaveSentNoOp: ___, ...record } = reported;
  return {
    run: position,
    organisation_id: organisationId,
    run_id: data.runId,
    reports_protection: reportsProtection,
    record: JSON.stringify(record satisfies RunReported),
  };
}

export function decisionRows({ position, data }: Recorded): AgentRunsTables['agent_decisions'][] {
  return data.decisions.map((decision, index) => {
    return { run: position, index, decision: JSON.stringify(decision) };
  });
}

/** Row of a run for a term, without the running total. */
export type TermRow = Omit<AgentRunsTables['agent_decision_terms'], 'through'>;

export function termRows({ position, data }: Recorded): TermRow[] {
  const { organisationId, decisions } = data;
  if (decisions.length === 0) return [];
  const ofRun = runFields.flatMap((field) => {
    const value = data[field];
    return value === null ? [] : [termOf(organisationId, field, value)];
  });
  const all = { run: position, decisions: decisions.length, indexes: null };
  const some = decisionFields.flatMap((field) =>
    [...indexesByValue(decisions, field)].map(([value, indexes]) => {
      const term = termOf(organisationId, field, value);
      return { term, run: position, decisions: indexes.length, indexes };
    }),
  );
  return [...[termOf(organisationId, 'any'), ...ofRun].map((term) => ({ term, ...all })), ...some];
}

function indexesByValue(
  decisions: readonly Decision[],
  field: DecisionField,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [index, decision] of decisions.entries()) {
    const value = Object.hasOwn(decision, field) ? decision[field] : null;
    if (typeof value !== 'string') continue;
    const indexes = found.get(value) ?? [];
    indexes.push(index);
    found.set(value, indexes);
  }
  return found;
}
