import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import {
  type PublishedLeafDeps,
  provePublishedLeaf,
} from '../../transparency-log/inclusion/prove-published-leaf.ts';
import { queryNumber } from '../fields.ts';
import { defineOpenRoute } from '../route.ts';
import { leafExample, leafResponse, viewPublishedLeaf } from './leaf-view.ts';

export const getLogLeaf = defineOpenRoute({
  operationId: 'getLogLeaf',
  tag: 'Published log',
  method: 'GET',
  path: '/log/leaves/:leafIndex',
  scope: null,
  summary: 'A leaf of the log, with its inclusion proof under the newest checkpoint',
  description:
    'The leaf and `hashes` give the root that `checkpoint` states (RFC 6962, 2.1.1). The tiles of the ' +
    'log contain the same hashes. The event of the leaf is not published.',
  params: {
    schema: z.object({
      leafIndex: queryNumber(0, 999_999_999_999_999).meta({
        description: 'index of the leaf, from 0: the position of its event minus 1',
        examples: [2],
      }),
    }),
  },
  responses: {
    200: { description: 'the leaf', schema: leafResponse, example: leafExample },
  },
  refusals: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ params }, deps: PublishedLeafDeps) => {
    const proven = await provePublishedLeaf(deps, params.leafIndex);
    if (proven === null) {
      throw new Refusal('NOT_FOUND', 'the newest checkpoint of the log covers no such leaf');
    }
    return { status: 200, body: { success: true, data: viewPublishedLeaf(proven) } };
  },
});
