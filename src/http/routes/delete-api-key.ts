import { z } from 'zod';
import { revokeKey } from '../../commands/revoke-key.ts';
import { revokedApiKey } from '../api-key-schema.ts';
import { awaitKeys } from '../api-key-view.ts';
import { apiKey } from '../examples/api-key-examples.ts';
import { apiKeyId } from '../fields.ts';
import { defineRoute } from '../route.ts';

export const deleteApiKey = defineRoute({
  operationId: 'revokeApiKey',
  tag: 'API keys',
  method: 'DELETE',
  path: '/api-keys/:id',
  scope: 'api-keys:manage',
  summary: 'Revokes an API key for ever',
  description:
    'The keys that it has issued stay valid. They name it in `issuedBy`, so that they can be found and ' +
    'revoked too.',
  params: { schema: z.object({ id: apiKeyId }) },
  responses: {
    200: {
      description: 'no call is taken with it any more',
      schema: revokedApiKey,
      example: { success: true, data: { id: apiKey.id } },
    },
  },
  refusals: ['API_KEY_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, params, requestId }, deps) => {
    const { organisationId, keyId } = caller;
    await revokeKey(deps.store, params.id, organisationId, { requestId, keyId, actor: 'api' });
    // Calls are checked against what is read here: it has the revocation when this has answered.
    await awaitKeys(deps, organisationId);
    return { status: 200, body: { success: true, data: { id: params.id } } };
  },
});
