import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { findAnchored } from '../../loading/find-anchored.ts';
import {
  type PublishedLeafDeps,
  provePublishedLeaf,
} from '../../transparency-log/inclusion/prove-published-leaf.ts';
import { proofId } from '../fields.ts';
import { defineOpenRoute } from '../route.ts';
import { leafExample, leafResponse, viewPublishedLeaf } from './leaf-view.ts';

interface LogProofDeps extends PublishedLeafDeps {
  readonly store: Pick<EventStore, 'readStream'>;
}

export const getLogProof = defineOpenRoute({
  operationId: 'getLogProof',
  tag: 'Published log',
  method: 'GET',
  path: '/log/proofs/:proofId',
  scope: null,
  summary: 'The leaf of the anchoring of a proof, with its inclusion proof; no key is needed',
  description:
    'For anybody who was given a proof id, such as with a certificate. The answer is that of ' +
    '`GET /log/leaves/{leafIndex}`. That this leaf belongs to the proof is a statement of the service: ' +
    'the event of the leaf, in the proof bundle, shows it.',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: { description: 'the leaf', schema: leafResponse, example: leafExample },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'CHECKPOINT_PENDING', 'SERVICE_UNAVAILABLE'],
  handle: async ({ params }, deps: LogProofDeps) => {
    const position = await findAnchored(deps.store, params.proofId);
    // Strangers do not learn of proofs that are not anchored.
    if (position === null) {
      throw new Refusal('PROOF_NOT_FOUND', 'the log has no anchoring of a proof with this id');
    }
    const proven = await provePublishedLeaf(deps, position - 1);
    if (proven === null) {
      throw new Refusal(
        'CHECKPOINT_PENDING',
        'no published checkpoint of the log covers this proof yet; try again in a few seconds',
      );
    }
    return { status: 200, body: { success: true, data: viewPublishedLeaf(proven) } };
  },
});
