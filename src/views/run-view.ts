import type { RunRecord } from '../../projections/agent-runs/record.ts';
import { maxDecisions } from '../domain/run/decision.ts';
import type { RunData } from './run-data.ts';

/** A run as callers see it in lists. */
export function viewRun(run: RunRecord): RunData {
  return {
    id: run.runId,
    runId: run.runId,
    workspace: run.workspaceId,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    mode: run.mode,
    objective: run.objective,
    trigger: run.trigger,
    counts: run.counts,
    coverage: run.coverage,
    connectorsReached: run.connectorsReached,
    connectorsUnreachable: run.connectorsUnreachable,
    unreadableGroups: run.unreadableGroups,
    network: run.network,
    noOp: run.noOp ?? !run.isProtective,
    decisionsReported: run.decisionsReported,
    decisionsTruncated: run.decisionsReported > maxDecisions,
  };
}
