import { z } from 'zod';
import { issueKey } from '../../commands/issue-key.ts';
import { defaultMaxKeys } from '../../domain/organisation/organisation-limits.ts';
import { issuedApiKey, keyScopes } from '../api-key-schema.ts';
import { readApiKey } from '../api-key-view.ts';
import { createKeyCount } from '../count-keys.ts';
import { apiKey, apiKeyOrder } from '../examples/api-key-examples.ts';
import { dateTime } from '../fields.ts';
import { defineRoute } from '../route.ts';

const badLimit = 'must be a positive whole number';
const ownLimit = z.int({ error: badLimit }).min(1, { error: badLimit }).nullish();

export const postApiKey = defineRoute({
  operationId: 'createApiKey',
  tag: 'API keys',
  method: 'POST',
  path: '/api-keys',
  scope: 'api-keys:manage',
  summary: 'Issues an API key with no more rights than the requesting key',
  description:
    'The new key has no scope that the requesting key lacks, expires no later, and has no higher ' +
    `limits. An organisation has at most ${defaultMaxKeys} keys that are neither revoked nor expired, ` +
    'unless another number was agreed. Revoking a key does not revoke the keys that it has issued.',
  body: {
    schema: z.object({
      scopes: keyScopes,
      name: z.string().meta({ minLength: 1, maxLength: 255 }).nullish(),
      agent: z
        .boolean()
        .optional()
        .meta({ description: 'the key of an agent: never webhooks:manage or api-keys:manage' }),
      expiresAt: dateTime.nullish().meta({
        description:
          'in the future, and no later than the expiry of the requesting key; absent or null: the same ' +
          'as the requesting key',
      }),
      requestsPerMinute: ownLimit.meta({
        description:
          'a limit of its own, at most that of the requesting key; absent or null: the same as the ' +
          'requesting key',
      }),
      requestsPerDay: ownLimit.meta({
        description: 'a limit of its own per day, by the same rule',
      }),
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
  refusals: ['SCOPE_NOT_PERMITTED', 'API_KEY_LIMIT_REACHED', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, body, requestId }, deps) => {
    const { organisationId, keyId: issuedBy } = caller;
    const order = {
      organisationId,
      issuedBy,
      scopes: body.scopes,
      name: body.name ?? null,
      agent: body.agent ?? false,
      expiresAt: body.expiresAt ?? null,
      requestsPerMinute: body.requestsPerMinute ?? null,
      requestsPerDay: body.requestsPerDay ?? null,
    };
    const meta = { requestId, keyId: issuedBy, actor: 'api' } as const;
    const issuing = { ...deps, countKeys: createKeyCount(deps) };
    const { keyId, key } = await issueKey(issuing, order, meta);
    const data = { ...(await readApiKey(deps, organisationId, keyId)), key };
    return { status: 201, body: { success: true, data } };
  },
});
