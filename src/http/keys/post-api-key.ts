import { z } from 'zod';
import { type IssueDeps, issueKey } from '../../commands/issue-key.ts';
import { defaultMaxKeys } from '../../domain/organisation/organisation-limits.ts';
import { dateTime } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { apiKey, apiKeyOrder } from './api-key-examples.ts';
import { issuedApiKey, keyScopes } from './api-key-schema.ts';
import { type KeyViewDeps, readApiKey } from './api-key-view.ts';
import { createKeyCount } from './count-keys.ts';

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
    'The new key has no scope that the requesting key lacks, expires no later and has no higher ' +
    `limits. An organisation can have at most ${defaultMaxKeys} keys that are neither revoked nor ` +
    'expired, unless another number was agreed. Revoking a key does not revoke the keys that it has ' +
    'issued.',
  body: {
    schema: z.object({
      scopes: keyScopes,
      name: z.string().meta({ minLength: 1, maxLength: 255 }).nullish(),
      agent: z.boolean().optional().meta({
        description:
          'true for an agent key, which can never have webhooks:manage, api-keys:manage or links:manage',
      }),
      expiresAt: dateTime.nullish().meta({
        description:
          'in the future, and no later than the requesting key expires; if absent or null, the expiry of ' +
          'the requesting key applies',
      }),
      requestsPerMinute: ownLimit.meta({
        description:
          'at most the limit of the requesting key; if absent or null, the limit of the requesting key ' +
          'applies',
      }),
      requestsPerDay: ownLimit.meta({
        description:
          'at most the limit of the requesting key; if absent or null, the limit of the requesting key ' +
          'applies',
      }),
    }),
    example: apiKeyOrder,
  },
  responses: {
    201: {
      description: 'the new key; the complete key is shown in this answer only',
      schema: issuedApiKey,
      example: {
        success: true,
        data: { ...apiKey, key: 'svc_live_4Kd0Zq8vT2mXc7RbN5wYh1LpJ9Gx3fAQ' },
      },
    },
  },
  refusals: ['SCOPE_NOT_PERMITTED', 'API_KEY_LIMIT_REACHED', 'SERVICE_UNAVAILABLE'],
  handle: async ({ caller, body, meta }, deps: KeyViewDeps & Omit<IssueDeps, 'countKeys'>) => {
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
    const issuing = { ...deps, countKeys: createKeyCount(deps) };
    const { keyId, key } = await issueKey(issuing, order, meta);
    const data = { ...(await readApiKey(deps, organisationId, keyId)), key };
    return { status: 201, body: { success: true, data } };
  },
});
