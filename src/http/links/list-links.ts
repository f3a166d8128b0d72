import { z } from 'zod';
import { liveLinks } from '../../domain/link/state.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { loadLinks } from '../../loading/load-links.ts';
import { loadOwnProof } from '../../loading/load-own-proof.ts';
import { proofId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { link } from './link-examples.ts';
import { linkList } from './link-schema.ts';
import { viewLink } from './link-view.ts';

export const listLinks = defineRoute({
  operationId: 'listLinks',
  tag: 'Links',
  method: 'GET',
  path: '/proofs/:proofId/links',
  scope: 'links:manage',
  summary: 'The links by which a proof is shared now, the oldest first, without their addresses',
  params: { schema: z.object({ proofId }), refusals: { proofId: 'INVALID_PROOF_ID' } },
  responses: {
    200: {
      description: 'the links that are neither withdrawn nor expired',
      schema: linkList,
      example: { success: true, data: [link] },
    },
  },
  refusals: ['INVALID_PROOF_ID', 'PROOF_NOT_FOUND'],
  handle: async (
    { caller, params },
    { store, now }: { readonly store: EventStore; readonly now: () => Date },
  ) => {
    const { organisationId } = caller;
    await loadOwnProof(store, { organisationId, proofId: params.proofId });
    const links = liveLinks(await loadLinks(store, params.proofId), now());
    return { status: 200, body: { success: true, data: links.map(viewLink) } };
  },
});
