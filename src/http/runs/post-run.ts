import { hasDocumentsOfRun } from '../../../projections/documents/query.ts';
import { type RunAnchoring, recordRun } from '../../commands/record-run.ts';
import type { RunReport } from '../../domain/run/report.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { viewRun } from '../../views/run-view.ts';
import { awaitDocuments } from '../documents/find-document.ts';
import { defineOffloadedRoute } from '../route.ts';
import { exampleReport, run } from './run-examples.ts';
import { type RunProofViewDeps, viewRunProof } from './run-proof.ts';
import { type RunReportBody, runReport, runResponse } from './run-schema.ts';

/** 5,000 decisions of about 1.6 kB. */
const maxBytes = 8_388_608;

/** Dependencies of recording a run, and of anchoring it. */
type PostRunDeps = RunProofViewDeps & Omit<RunAnchoring, 'hashScheme'>;

export const postRun = defineOffloadedRoute({
  operationId: 'recordAgentRun',
  tag: 'Agent runs',
  method: 'POST',
  path: '/agent/runs',
  scope: 'documents:write',
  isOffloaded: true,
  summary: 'Records a run (sweep) of an agent, permanently',
  description:
    'With `anchor: true` the SHA-256 of the statement of the run is proven, too. The run and the request ' +
    'for its proof are recorded together, and the call does not wait for the ledger: poll ' +
    'GET /proofs/{proofId}. A run that is already recorded can be anchored by the same call later.',
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
  handle: async ({ caller, body, meta }, deps: PostRunDeps) => {
    const report = toReport(body);
    const { organisationId, organisation } = caller;
    const anchoring = body.anchor ? { ...deps, hashScheme: organisation.hashScheme } : null;
    const hasDocuments = () => hasDocumentsOfRun(deps.db, organisationId, report.runId);
    const recording = { store: deps.store, hasDocuments };
    const recorded = await recordRun(recording, organisationId, report, meta, anchoring);
    const { run, created, proofId } = recorded;
    const isProtective = run.reportsProtection || (await hasDocuments());
    const proof = proofId && (await loadOwnProof(deps.store, { organisationId, proofId }));
    const data = { ...viewRun({ ...run, isProtective }), ...(await viewRunProof(deps, proof)) };
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
