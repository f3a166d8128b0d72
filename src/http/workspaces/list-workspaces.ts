import { z } from 'zod';
import { queryWorkspaces } from '../../../projections/workspaces/query.ts';
import { awaitPosition, type ReadDeps } from '../../subscriptions/await-position.ts';
import { success } from '../../views/output-fields.ts';
import { viewWorkspace, workspaceData } from '../../views/workspace-view.ts';
import { workspace } from '../proofs/proof-examples.ts';
import { defineRoute } from '../route.ts';

export const listWorkspaces = defineRoute({
  operationId: 'listWorkspaces',
  tag: 'Workspaces',
  method: 'GET',
  path: '/workspaces',
  scope: 'workspaces:read',
  summary: 'The workspaces of the organisation',
  responses: {
    200: {
      description: 'the workspaces',
      schema: z.object({ success, data: z.array(workspaceData) }),
      example: { success: true, data: [viewWorkspace(workspace, 'Archive')] },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async ({ caller }, { db, store, signal }: ReadDeps) => {
    const { organisationId } = caller;
    const position = await store.lastPositionOf(organisationId);
    await awaitPosition(db, 'workspaces', position, { signal });
    const workspaces = await queryWorkspaces(db, organisationId);
    const data = workspaces.map(({ _id, name }) => viewWorkspace(_id, name));
    return { status: 200, body: { success: true, data } };
  },
});
