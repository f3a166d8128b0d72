import { z } from 'zod';
import { loadOwnProof } from '../../commands/load-own-proof.ts';
import { completedStatus } from '../examples/proof-examples.ts';
import { proofId, trueOrFalse } from '../fields.ts';
import { proofStatusResponse } from '../proof-schema.ts';
import { viewProofStatus } from '../proof-view.ts';
import { readFileName, viewOptions } from '../read-proof.ts';
import { defineRoute } from '../route.ts';

export const getProof = defineRoute({
  operationId: 'getProof',
  tag: 'Proofs',
  method: 'GET',
  path: '/proofs/:proofId',
  scope: 'documents:read',
  summary: 'The status of a proof',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  query: {
    schema: z.object({
      includeSalt: trueOrFalse().meta({
        description: 'true: proofNonce is told',
        examples: [true],
      }),
    }),
  },
  responses: {
    200: {
      description: 'the proof',
      schema: proofStatusResponse,
      example: { success: true, data: completedStatus },
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND'],
  handle: async ({ params, query, caller }, deps) => {
    const { organisationId } = caller;
    const state = await loadOwnProof(deps.store, { organisationId, proofId: params.proofId });
    const options = await viewOptions(deps, state, query.includeSalt);
    const data = viewProofStatus(state, options, await readFileName(deps, state));
    return { status: 200, body: { success: true, data } };
  },
});
