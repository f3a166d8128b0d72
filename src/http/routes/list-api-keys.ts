import { z } from 'zod';
import { apiKeyList } from '../api-key-schema.ts';
import { readApiKeys } from '../api-key-view.ts';
import { apiKey } from '../examples/api-key-examples.ts';
import { pageQuery } from '../fields.ts';
import { defineRoute } from '../route.ts';

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
      description: 'one page of them, without their secrets',
      schema: apiKeyList,
      example: { success: true, data: [apiKey], meta: { page: 1, limit: 20, total: 1 } },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async ({ caller, query }, deps) => {
    const { page, limit } = query;
    const { data, total } = await readApiKeys(deps, caller.organisationId, { page, limit });
    return { status: 200, body: { success: true, data, meta: { page, limit, total } } };
  },
});
