import { z } from 'zod';
import { blockchainStatuses } from '../../../projections/documents/blockchain-status.ts';
import { listDocuments as queryDocuments } from '../../../projections/documents/list.ts';
import { isTooShortForIndex } from '../../../projections/documents/search.ts';
import { requireWorkspace } from '../../commands/require-workspace.ts';
import { documentList } from '../document-schema.ts';
import { viewDocument } from '../document-view.ts';
import { document } from '../examples/document-examples.ts';
import { pageQuery, workspaceId } from '../fields.ts';
import { awaitDocuments } from '../find-document.ts';
import { defineOffloadedRoute } from '../route.ts';

/** A search that no index serves reads all proofs of the organisation. */
const unindexedSearchCost = 10;

export const listDocuments = defineOffloadedRoute({
  operationId: 'listDocuments',
  tag: 'Documents',
  method: 'GET',
  path: '/documents',
  scope: 'documents:read',
  isOffloaded: true,
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
  cost: {
    description:
      `A search for one or two characters counts as ${unindexedSearchCost} requests, since no index ` +
      'serves it. In an organisation with more than 5,000 proofs, so does a search for a text that occurs ' +
      `in more than about 2 % of them; if fewer than ${unindexedSearchCost} requests are left, that search is ` +
      'refused with 429 and counts as one.',
    of: ({ query: { search } }) =>
      typeof search === 'string' && search !== '' && isTooShortForIndex(search)
        ? unindexedSearchCost
        : 1,
  },
  responses: {
    200: {
      description: 'one page of them',
      schema: documentList,
      example: { success: true, data: [document], meta: { page: 1, limit: 20, total: 1 } },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'SERVICE_UNAVAILABLE'],
  before: async ({ caller, query }, deps) => {
    const { organisationId } = caller;
    const { workspace: workspaceId } = query;
    if (workspaceId !== undefined) {
      await requireWorkspace(deps.store, { organisationId, workspaceId });
    }
    await awaitDocuments(deps, organisationId);
  },
  handle: async ({ caller, query, weigh }, deps) => {
    const { organisationId } = caller;
    const { page, limit } = query;
    const { workspace: workspaceId = null, blockchainStatus = null, search = null } = query;
    const wanted = { organisationId, page, limit, workspaceId, blockchainStatus, search };
    const { items, total } = await queryDocuments(deps.db, wanted, {
      beforeReadingAll: () => weigh(unindexedSearchCost),
    });
    const data = await Promise.all(items.map((item) => viewDocument(deps, item)));
    return { status: 200, body: { success: true, data, meta: { page, limit, total } } };
  },
});
