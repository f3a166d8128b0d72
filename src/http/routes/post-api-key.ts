import { z } from 'zod';
import { issueKey } from '../../commands/issue-key.ts';
import { issuedApiKey, keyScopes } from '../api-key-schema.ts';
import { readApiKeys } from '../api-key-view.ts';
import { apiKey, apiKeyOrder } from '../examples/api-key-examples.ts';
import { dateTime } from '../fields.ts';
import { defineRoute } from '../route.ts';

export const postApiKey = defineRoute({
  operationId: 'createApiKey',
  tag: 'API keys',
  method: 'POST',
  path: '/api-keys',
  scope: 'api-keys:manage',
  summary: 'Issues an API key; no key can grant a scope that it lacks',
  body: {
    schema: z.object({
      scopes: keyScopes,
      name: z.string().meta({ minLength: 1, maxLength: 255 }).nullish(),
      agent: z
        .boolean()
        .optional()
        .meta({ description: 'the key of an agent: never webhooks:manage or api-keys:manage' }),
      expiresAt: dateTime.nullish().meta({ description: 'in the future; null: never' }),
    }),
    example: apiKeyOrder,
  },
  responses: {
    201: {
      description: 'the key, shown this once',
      schema: issuedApiKey,
      example: {
        success: true,
        data: { ...apiKey, key: 'svc_live_4Kd0Zq8vT2mXc7RbN5wYh1LpJ9Gx3fAQ' },
      },
    },
  },
  refusals: ['SCOPE_NOT_PERMITTED', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, body, requestId }, deps) => {
    const { organisationId, scopes: grantable, keyId: by } = caller;
    const order = {
      organisationId,
      grantable,
      scopes: body.scopes,
      name: body.name ?? null,
      agent: body.agent ?? false,
      expiresAt: body.expiresAt ?? null,
      // Limits of its own are the operator's to give.
      requestsPerMinute: null,
      requestsPerDay: null,
    };
    const { keyId, key } = await issueKey(deps, order, { requestId, keyId: by, actor: 'api' });
    const keys = await readApiKeys(deps, organisationId);
    const data = { ...keys.find(({ id }) => id === keyId), key };
    return { status: 201, body: { success: true, data } };
  },
});
