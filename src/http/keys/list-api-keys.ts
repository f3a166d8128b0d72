import { z } from 'zod';
import { pageQuery } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { apiKey } from './api-key-examples.ts';
import { apiKeyList } from './api-key-schema.ts';
import { type KeyViewDeps, readApiKeys } from './api-key-view.ts';

export const listApiKeys = defineRoute({
  operationId: 'listApiKeys',
  tag: 'API keys',
  method: 'GET',
  path: '/api-keys',
  scope: 'api-keys:manage',
  summary: 'The API keys of the organisation, oldest first',
  query: { schema: z.object(pageQuery) },
  responses: {
    200: {
      description: 'one page of the list; the keys themselves are never shown again',
      schema: apiKeyList,
      example: { success: true, data: [apiKey], meta: { page: 1, limit: 20, total: 1 } },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async ({ caller, query }, deps: KeyViewDeps) => {
    const { page, limit } = query;
    const { data, total } = await readApiKeys(deps, caller.organisationId, { page, limit });
    return { status: 200, body: { success: true, data, meta: { page, limit, total } } };
  },
});
