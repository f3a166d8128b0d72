import type { RunRecord } from '../../projections/agent-runs/record.ts';
import { maxDecisions } from '../domain/run/decision.ts';
import { protectedCount, type RunReport } from '../domain/run/report.ts';
import type { RunData, RunReportBody } from './run-schema.ts';

/** The report that a body is, with what was left out, or null. */
export function toReport(body: RunReportBody): RunReport {
  const counts = body.counts ?? {};
  return {
    runId: body.runId,
    workspaceId: body.workspace ?? null,
    startedAt: body.startedAt ?? null,
    finishedAt: body.finishedAt ?? null,
    mode: body.mode ?? null,
    objective: body.objective ?? null,
    trigger: body.trigger ?? null,
    counts,
    coverage: body.coverage ?? {},
    connectorsReached: body.connectorsReached ?? [],
    connectorsUnreachable: body.connectorsUnreachable ?? [],
    unreadableGroups: body.unreadableGroups ?? [],
    network: body.network ?? null,
    noOp: body.noOp ?? protectedCount(counts) === 0,
    decisions: body.decisions ?? [],
  };
}

/** A run as callers see it in lists. */
export function viewRun(run: RunRecord): RunData {
  return {
    runId: run.runId,
    workspace: run.workspaceId,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    mode: run.mode,
    objective: run.objective,
    trigger: run.trigger,
    counts: run.counts,
    coverage: run.coverage,
    connectorsReached: [...run.connectorsReached],
    connectorsUnreachable: [...run.connectorsUnreachable],
    unreadableGroups: [...run.unreadableGroups],
    network: run.network,
    noOp: run.noOp,
    decisionsReported: run.decisionsReported,
    decisionsTruncated: run.decisionsReported > maxDecisions,
  };
}
