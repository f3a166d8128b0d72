import { z } from 'zod';
import { success } from '../../views/output-fields.ts';
import { pageMeta } from '../../views/page-meta.ts';
import { pageQuery, queryNumber, trueOrFalse } from '../fields.ts';
import { defineOpenRoute } from '../route.ts';
import { anchoredCheckpoints, type FindingDeps, newestCheckpoints } from './find-checkpoints.ts';
import {
  type CheckpointViewDeps,
  listedCheckpoint,
  listedExample,
  viewCheckpoints,
} from './listed-checkpoint.ts';

/** Tokens and cosignatures have kilobytes. */
const most = 20;

export const listLogCheckpoints = defineOpenRoute({
  operationId: 'listLogCheckpoints',
  tag: 'Published log',
  method: 'GET',
  path: '/log/checkpoints',
  scope: null,
  summary: 'The published checkpoints of the log, newest first',
  description:
    'Each with the signatures of the log and its witnesses, with its transaction on the ledger, and with ' +
    'its time-stamp token (RFC 3161), if it has them. Checkpoints of all epochs of the log are listed.',
  query: {
    schema: z.object({
      page: pageQuery.page,
      limit: queryNumber(1, most)
        .default(10)
        .meta({ description: 'the maximum number of items on a page', examples: [5] }),
      anchored: trueOrFalse().meta({
        description: 'true: only checkpoints that are anchored on the ledger',
        examples: [true],
      }),
    }),
  },
  responses: {
    200: {
      description: 'one page of the list; empty if no checkpoint has been published',
      schema: z.object({ success, data: z.array(listedCheckpoint), meta: pageMeta }),
      example: {
        success: true,
        data: [listedExample],
        meta: { page: 1, limit: 10, total: 1 },
      },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async ({ query }, deps: FindingDeps & CheckpointViewDeps) => {
    const { page, limit } = query;
    const find = query.anchored ? anchoredCheckpoints : newestCheckpoints;
    const { total, checkpoints } = await find(deps, { page, limit });
    const data = await viewCheckpoints(deps, checkpoints);
    return { status: 200, body: { success: true, data, meta: { page, limit, total } } };
  },
});
