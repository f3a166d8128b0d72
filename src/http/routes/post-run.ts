import { recordRun } from '../../commands/record-run.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { runReport as exampleReport, run } from '../examples/run-examples.ts';
import { defineOffloadedRoute } from '../route.ts';
import { runReport, runResponse } from '../run-schema.ts';
import { toReport, viewRun } from '../run-view.ts';

/** 5,000 decisions of some 1.6 KB. */
const maxBytes = 8_388_608;

export const postRun = defineOffloadedRoute({
  operationId: 'recordAgentRun',
  tag: 'Agent runs',
  method: 'POST',
  path: '/agent/runs',
  scope: 'documents:write',
  isOffloaded: true,
  summary: 'Records a sweep of an agent, once and for ever',
  body: {
    schema: runReport,
    // The run's id is looked at before all else.
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
      description: 'the very same run is on record',
      schema: runResponse,
      example: { success: true, alreadyRecorded: true, data: run },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'RUN_CONFLICT', 'PAYLOAD_TOO_LARGE'],
  handle: async ({ requestId, caller, body }, deps) => {
    const meta: EventMeta = { requestId, keyId: caller.keyId, actor: 'api' };
    const report = toReport(body);
    const { run, created } = await recordRun(deps, caller.organisationId, report, meta);
    const data = viewRun(run);
    if (created) return { status: 201, body: { success: true, data } };
    return { status: 200, body: { success: true, alreadyRecorded: true, data } };
  },
});
