import { hasDocumentsOfRun } from '../../../projections/documents/query.ts';
import { recordRun } from '../../commands/record-run.ts';
import type { RunReport } from '../../domain/run/report.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { viewRun } from '../../views/run-view.ts';
import { awaitDocuments } from '../documents/find-document.ts';
import { defineOffloadedRoute } from '../route.ts';
import { exampleReport, run } from './run-examples.ts';
import { type RunReportBody, runReport, runResponse } from './run-schema.ts';

/** 5,000 decisions of about 1.6 kB. */
const maxBytes = 8_388_608;

export const postRun = defineOffloadedRoute({
  operationId: 'recordAgentRun',
  tag: 'Agent runs',
  method: 'POST',
  path: '/agent/runs',
  scope: 'documents:write',
  isOffloaded: true,
  summary: 'Records a run (sweep) of an agent, permanently',
  body: {
    schema: runReport,
    // The run's id is checked first.
    refusals: { runId: 'INVALID_REQUEST', workspace: 'INVALID_WORKSPACE' },
    example: exampleReport,
    maxBytes,
    exactly: true,
  },
  responses: {
    201: {
      description: 'recorded',
      schema: runResponse,
      example: { success: true, data: run },
    },
    200: {
      description: 'already recorded with the same content: the recorded run',
      schema: runResponse,
      example: { success: true, alreadyRecorded: true, data: run },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'RUN_CONFLICT', 'PAYLOAD_TOO_LARGE'],
  before: ({ caller }, deps: ReadDeps) => awaitDocuments(deps, caller.organisationId),
  handle: async ({ caller, body, meta }, deps: Pick<ReadDeps, 'db' | 'store'>) => {
    const report = toReport(body);
    const { organisationId } = caller;
    const { run, created } = await recordRun(deps, organisationId, report, meta);
    const isProtective =
      run.reportsProtection || (await hasDocumentsOfRun(deps.db, organisationId, run.runId));
    const data = viewRun({ ...run, isProtective });
    if (created) return { status: 201, body: { success: true, data } };
    return { status: 200, body: { success: true, alreadyRecorded: true, data } };
  },
});

/** Converts a body to a report, with defaults for absent or null members. */
function toReport(body: RunReportBody): RunReport {
  return {
    runId: body.runId,
    workspaceId: body.workspace ?? null,
    startedAt: body.startedAt ?? null,
    finishedAt: body.finishedAt ?? null,
    mode: body.mode ?? null,
    objective: body.objective ?? null,
    trigger: body.trigger ?? null,
    counts: body.counts ?? {},
    coverage: body.coverage ?? {},
    connectorsReached: body.connectorsReached ?? [],
    connectorsUnreachable: body.connectorsUnreachable ?? [],
    unreadableGroups: body.unreadableGroups ?? [],
    network: body.network ?? null,
    noOp: body.noOp ?? null,
    decisions: body.decisions ?? [],
  };
}
