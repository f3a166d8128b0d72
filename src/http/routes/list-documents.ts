import { z } from 'zod';
import { blockchainStatuses } from '../../../projections/documents/blockchain-status.ts';
import { listDocuments as queryDocuments } from '../../../projections/documents/list.ts';
import { requireWorkspace } from '../../commands/require-workspace.ts';
import { documentList } from '../document-schema.ts';
import { viewDocument } from '../document-view.ts';
import { document } from '../examples/document-examples.ts';
import { pageQuery, workspaceId } from '../fields.ts';
import { awaitDocuments } from '../find-document.ts';
import { defineRoute } from '../route.ts';

export const listDocuments = defineRoute({
  operationId: 'listDocuments',
  tag: 'Documents',
  method: 'GET',
  path: '/documents',
  scope: 'documents:read',
  summary: 'The proofs of the organisation, newest first: of uploads and of hashes',
  query: {
    schema: z.object({
      ...pageQuery,
      workspace: workspaceId.optional(),
      blockchainStatus: z
        .enum(blockchainStatuses)
        .optional()
        .meta({ description: 'where the proof stands', examples: ['completed'] }),
      search: z
        .string()
        .optional()
        .meta({
          description:
            'part of a file name or description in any case, or a whole hash, proof id or transaction',
          examples: ['invoice'],
        }),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
  },
  responses: {
    200: {
      description: 'one page of them',
      schema: documentList,
      example: { success: true, data: [document], meta: { page: 1, limit: 20, total: 1 } },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, query }, deps) => {
    const { organisationId } = caller;
    const { page, limit } = query;
    const { workspace: workspaceId = null, blockchainStatus = null, search = null } = query;
    if (workspaceId !== null) {
      await requireWorkspace(deps.store, { organisationId, workspaceId });
    }
    await awaitDocuments(deps, organisationId);
    const wanted = { organisationId, page, limit, workspaceId, blockchainStatus, search };
    const { items, total } = await queryDocuments(deps.db, wanted);
    const data = await Promise.all(items.map((item) => viewDocument(deps, item)));
    return { status: 200, body: { success: true, data, meta: { page, limit, total } } };
  },
});
