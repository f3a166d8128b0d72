import { z } from 'zod';
import { bytesOfRun, loadRun } from '../../loading/find-run.ts';
import { stateRun } from '../../run-statement/state-run.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { runId } from '../fields.ts';
import { costOfBytes, sizeCost } from '../limits/call-cost.ts';
import { defineOffloadedRoute } from '../route.ts';
import { exampleStatement } from './run-examples.ts';
import { runStatementSchema } from './run-schema.ts';

export const getRunStatement = defineOffloadedRoute({
  operationId: 'getAgentRunStatement',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs/:id/statement',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'The statement of an agent run: exactly the bytes whose SHA-256 is anchored',
  description:
    'Canonical JSON (RFC 8785) in UTF-8: the run as recorded, and the root of the Merkle tree over its ' +
    'stored decisions. It contains no decision, and is the same at any time.',
  params: { schema: z.object({ id: runId }) },
  cost: sizeCost('the stored run (11 for a report of 8 MB)'),
  responses: {
    200: {
      description: 'the statement',
      schema: runStatementSchema,
      example: JSON.parse(exampleStatement),
    },
  },
  refusals: ['RUN_NOT_FOUND'],
  handle: async ({ caller, params, weigh }, { store }: Pick<ReadDeps, 'store'>) => {
    const { organisationId } = caller;
    await weigh(costOfBytes(await bytesOfRun(store, organisationId, params.id)));
    const { bytes } = stateRun(await loadRun(store, organisationId, params.id));
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: bytes };
  },
});
