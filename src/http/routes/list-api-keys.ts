import { apiKeyList } from '../api-key-schema.ts';
import { readApiKeys } from '../api-key-view.ts';
import { apiKey } from '../examples/api-key-examples.ts';
import { defineRoute } from '../route.ts';

export const listApiKeys = defineRoute({
  operationId: 'listApiKeys',
  tag: 'API keys',
  method: 'GET',
  path: '/api-keys',
  scope: 'api-keys:manage',
  summary: 'The API keys of the organisation, oldest first',
  responses: {
    200: {
      description: 'the keys, without their secrets',
      schema: apiKeyList,
      example: { success: true, data: [apiKey] },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async ({ caller }, deps) => {
    const data = await readApiKeys(deps, caller.organisationId);
    return { status: 200, body: { success: true, data } };
  },
});
