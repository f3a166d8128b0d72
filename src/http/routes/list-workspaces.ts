import { z } from 'zod';
import { listWorkspaces as queryWorkspaces } from '../../../projections/workspaces/query.ts';
import { awaitPosition } from '../../subscriptions/await-position.ts';
import { defineRoute } from '../route.ts';

const workspace = z.object({ _id: z.string(), name: z.string() });

export const listWorkspaces = defineRoute({
  method: 'GET',
  path: '/workspaces',
  scope: 'workspaces:read',
  summary: 'The workspaces of the organisation',
  responses: {
    200: {
      description: 'the workspaces',
      schema: z.object({ success: z.literal(true), data: z.array(workspace) }),
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async ({ caller }, { db, store, signal }) => {
    const { organisationId } = caller;
    const position = await store.lastPositionOf(organisationId);
    await awaitPosition(db, 'workspaces', position, { signal });
    const data = await queryWorkspaces(db, organisationId);
    return { status: 200, body: { success: true, data } };
  },
});
