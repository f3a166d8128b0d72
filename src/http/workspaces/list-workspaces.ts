import { z } from 'zod';
import { queryWorkspaces } from '../../../projections/workspaces/query.ts';
import { awaitPosition } from '../../subscriptions/await-position.ts';
import { id, success, untrusted } from '../../views/output-fields.ts';
import { workspace } from '../proofs/proof-examples.ts';
import { defineRoute } from '../route.ts';
import type { RouteDeps } from '../route-deps.ts';

const workspaceData = z
  .object({ _id: id, name: untrusted.meta({ description: 'untrusted' }) })
  .meta({ id: 'Workspace' });

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
      example: { success: true, data: [{ _id: workspace, name: 'Archive' }] },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async ({ caller }, { db, store, signal }: Pick<RouteDeps, 'db' | 'store' | 'signal'>) => {
    const { organisationId } = caller;
    const position = await store.lastPositionOf(organisationId);
    await awaitPosition(db, 'workspaces', position, { signal });
    const data = await queryWorkspaces(db, organisationId);
    return { status: 200, body: { success: true, data } };
  },
});
