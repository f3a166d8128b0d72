import { z } from 'zod';
import { withdrawLink } from '../../commands/withdraw-link.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import { linkId, proofId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { link } from './link-examples.ts';
import { withdrawnLink } from './link-schema.ts';

export const deleteLink = defineRoute({
  operationId: 'withdrawLink',
  tag: 'Links',
  method: 'DELETE',
  path: '/proofs/:proofId/links/:linkId',
  scope: 'links:manage',
  summary: 'Withdraws a link: its page says at once that the proof is no longer shared',
  params: { schema: z.object({ proofId, linkId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: {
      description: 'withdrawn, for good',
      schema: withdrawnLink,
      example: { success: true, data: { id: link.id } },
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND', 'LINK_NOT_FOUND'],
  handle: async ({ caller, params, meta }, deps: { readonly store: EventStore }) => {
    const { organisationId } = caller;
    await loadOwnProof(deps.store, { organisationId, proofId: params.proofId });
    await withdrawLink(deps, { organisationId, ...params }, meta);
    return { status: 200, body: { success: true, data: { id: params.linkId } } };
  },
});
