import { z } from 'zod';
import {
  type AnchoringProofDeps,
  proveAnchoring,
} from '../../transparency-log/inclusion/prove-anchoring.ts';
import { proofId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { inclusion } from './inclusion-example.ts';
import { inclusionResponse, viewInclusion } from './inclusion-view.ts';
import type { LogKeys } from './log-keys.ts';

export const getInclusion = defineRoute({
  operationId: 'getProofInclusion',
  tag: 'Published log',
  method: 'GET',
  path: '/proofs/:proofId/inclusion',
  scope: 'certificates:read',
  summary: 'The inclusion proof of an anchoring in the published log, under its newest checkpoint',
  description:
    'The leaf is the SHA-256 of a zero byte followed by the canonical JSON (RFC 8785) of `event`. ' +
    'The leaf and `hashes` give the root that `checkpoint` states (RFC 6962, 2.1.1).',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: {
      description: 'the inclusion proof',
      schema: inclusionResponse,
      example: { success: true, data: inclusion },
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'PROOF_NOT_ANCHORED', 'CHECKPOINT_PENDING'],
  handle: async ({ params, caller }, deps: AnchoringProofDeps & LogKeys) => {
    const { organisationId } = caller;
    const proven = await proveAnchoring(deps, { organisationId, proofId: params.proofId });
    return {
      status: 200,
      body: { success: true, data: viewInclusion(proven, await deps.logKeys()) },
    };
  },
});
