import { z } from 'zod';
import { proveAnchoring } from '../../commands/prove-anchoring.ts';
import { inclusion } from '../examples/inclusion-example.ts';
import { proofId } from '../fields.ts';
import { inclusionResponse, viewInclusion } from '../inclusion-view.ts';
import { defineRoute } from '../route.ts';

export const getInclusion = defineRoute({
  operationId: 'getProofInclusion',
  tag: 'Transparency log',
  method: 'GET',
  path: '/proofs/:proofId/inclusion',
  scope: 'certificates:read',
  summary: "That the proof's anchoring is in the published log, against its newest checkpoint",
  description:
    'The leaf is SHA-256 of a zero byte and the canonical JSON (RFC 8785) of `event`. With `hashes` ' +
    'it leads to the root that `checkpoint` states (RFC 6962, 2.1.1).',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: {
      description: 'the inclusion proof',
      schema: inclusionResponse,
      example: { success: true, data: inclusion },
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'PROOF_NOT_ANCHORED', 'CHECKPOINT_PENDING'],
  handle: async ({ params, caller }, deps) => {
    const { organisationId } = caller;
    const proven = await proveAnchoring(deps, { organisationId, proofId: params.proofId });
    return {
      status: 200,
      body: { success: true, data: viewInclusion(proven, await deps.logKeys()) },
    };
  },
});
