import { z } from 'zod';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import { proofStatusResponse } from '../../views/proof-schema.ts';
import { viewProofStatus } from '../../views/proof-view.ts';
import { readFile, statusOptions } from '../../views/read-proof.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import { proofId, trueOrFalse } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { completedStatus } from './proof-examples.ts';

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
        description: 'true: the answer includes proofNonce',
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
  handle: async (
    { params, query, caller },
    deps: Pick<ViewDeps, 'store' | 'db' | 'ledgers' | 'publicUrl'>,
  ) => {
    const { organisationId } = caller;
    const state = await loadOwnProof(deps.store, { organisationId, proofId: params.proofId });
    const options = await statusOptions(deps, state, query.includeSalt);
    const data = viewProofStatus(state, options, await readFile(deps, state));
    return { status: 200, body: { success: true, data } };
  },
});
