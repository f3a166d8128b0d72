import { z } from 'zod';
import { isVisible } from '../../domain/proof/state.ts';
import { Refusal } from '../../domain/refusal.ts';
import { proofId } from '../fields.ts';
import { proofStatusResponse } from '../proof-schema.ts';
import { viewProofStatus } from '../proof-view.ts';
import { readProof, viewOptions } from '../read-proof.ts';
import { defineRoute } from '../route.ts';

export const getProof = defineRoute({
  method: 'GET',
  path: '/proofs/:proofId',
  scope: 'documents:read',
  summary: 'The status of a proof',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  query: {
    schema: z.object({
      includeSalt: z
        .enum(['true', 'false'], { error: 'must be true or false' })
        .default('false')
        .transform((value) => value === 'true'),
    }),
  },
  responses: {
    200: { description: 'the proof', schema: proofStatusResponse },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND'],
  handle: async ({ params, query, caller }, deps) => {
    const state = await readProof(deps, params.proofId);
    if (!isVisible(state) || state.request.organisationId !== caller.organisationId) {
      throw new Refusal('PROOF_NOT_FOUND', 'there is no such proof in this organisation');
    }
    const options = await viewOptions(deps, state, query.includeSalt);
    return { status: 200, body: { success: true, data: viewProofStatus(state, options) } };
  },
});
