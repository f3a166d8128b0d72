import { z } from 'zod';
import { blockchainStatuses } from '../../../projections/documents/blockchain-status.ts';
import { queryDocuments } from '../../../projections/documents/query-documents.ts';
import { isTooShortForIndex, maxWords, wordsOf } from '../../../projections/documents/search.ts';
import { requireWorkspace } from '../../loading/require-workspace.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { documentList } from '../../views/document-schema.ts';
import { viewDocument } from '../../views/document-view.ts';
import type { ViewDeps } from '../../views/view-deps.ts';
import { pageQuery, workspaceId } from '../fields.ts';
import { defineOffloadedRoute } from '../route.ts';
import { document } from './document-examples.ts';
import { awaitDocuments } from './find-document.ts';

/** Cost of a search that no index serves, and that reads all proofs of the organisation. */
const unindexedSearchCost = 10;

export const listDocuments = defineOffloadedRoute({
  operationId: 'listDocuments',
  tag: 'Documents',
  method: 'GET',
  path: '/documents',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'The proofs of the organisation, of uploaded files and of bare hashes, newest first',
  query: {
    schema: z.object({
      ...pageQuery,
      workspace: workspaceId.optional(),
      blockchainStatus: z
        .enum(blockchainStatuses)
        .optional()
        .meta({ description: 'the status of the proof', examples: ['completed'] }),
      search: z
        .string()
        .refine((text) => wordsOf(text).length <= maxWords, {
          error: `must have at most ${maxWords} different words`,
        })
        .optional()
        .meta({
          description:
            'words that are parts of the file name or the description, in any order (case-insensitive); or ' +
            'a complete file hash, commitment, transaction hash, proof id or document id',
          examples: ['invoice'],
        }),
    }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
  },
  cost: {
    description:
      `A search for words of one or two characters counts as ${unindexedSearchCost} requests, since no index ` +
      'supports it. In an organisation with more than 5,000 proofs, a search for words that occur in ' +
      `more than about 2 % of the proofs counts as ${unindexedSearchCost} requests too; if fewer are ` +
      'left, that search is refused with 429 and counts as one.',
    of: ({ query: { search } }) =>
      typeof search === 'string' && search.trim() !== '' && isTooShortForIndex(search)
        ? unindexedSearchCost
        : 1,
  },
  responses: {
    200: {
      description: 'one page of the list',
      schema: documentList,
      example: { success: true, data: [document], meta: { page: 1, limit: 20, total: 1 } },
    },
  },
  refusals: ['INVALID_WORKSPACE', 'SERVICE_UNAVAILABLE'],
  before: async ({ caller, query }, deps: ReadDeps) => {
    const { organisationId } = caller;
    const { workspace: workspaceId } = query;
    if (workspaceId !== undefined) {
      await requireWorkspace(deps.store, { organisationId, workspaceId });
    }
    await awaitDocuments(deps, organisationId);
  },
  handle: async (
    { caller, query, weigh },
    deps: Pick<ViewDeps, 'db' | 'ledgers' | 'publicUrl'>,
  ) => {
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
