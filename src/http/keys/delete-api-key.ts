import { z } from 'zod';
import { revokeKey } from '../../commands/revoke-key.ts';
import type { ReadDeps } from '../../subscriptions/await-position.ts';
import { apiKeyId } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { apiKey } from './api-key-examples.ts';
import { revokedApiKey } from './api-key-schema.ts';
import { awaitKeys } from './api-key-view.ts';

export const deleteApiKey = defineRoute({
  operationId: 'revokeApiKey',
  tag: 'API keys',
  method: 'DELETE',
  path: '/api-keys/:id',
  scope: 'api-keys:manage',
  summary: 'Revokes an API key permanently',
  description:
    'The keys that the revoked key has issued stay valid. They name it in `issuedBy`, so that you ' +
    'can find and revoke them too.',
  params: { schema: z.object({ id: apiKeyId }) },
  responses: {
    200: {
      description: 'revoked: calls with this key are refused',
      schema: revokedApiKey,
      example: { success: true, data: { id: apiKey.id } },
    },
  },
  refusals: ['API_KEY_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, params, meta }, deps: ReadDeps) => {
    const { organisationId } = caller;
    await revokeKey(deps.store, params.id, organisationId, meta);
    // Calls are checked against this read model, so the revocation is in force once this call is
    // answered.
    await awaitKeys(deps, organisationId);
    return { status: 200, body: { success: true, data: { id: params.id } } };
  },
});
