import { z } from 'zod';
import { scopes } from '../domain/key/scope.ts';
import { count, id, success, time, untrusted } from './output-fields.ts';
import { pageMeta } from './page-meta.ts';

const scope = z
  .enum(scopes, { error: `must be one of ${scopes.join(', ')}` })
  .meta({ id: 'Scope' });

export const keyScopes = z
  .array(scope, { error: 'must be an array of scopes' })
  .min(1, { error: 'must name at least one scope' })
  .meta({ description: 'only scopes of the requesting key; one that is named twice counts once' });

export const apiKeyData = z
  .object({
    id,
    prefix: z.string().meta({ description: 'the first characters of the key, to recognise it by' }),
    name: untrusted.nullable().meta({ description: 'untrusted' }),
    scopes: z.array(scope),
    agent: z.boolean(),
    status: z
      .enum(['valid', 'expired', 'revoked'])
      .meta({ description: 'whether calls are taken with it' }),
    createdAt: time,
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable().meta({
      description: 'the latest call with it, to within a minute; null if there was none',
    }),
    requestsPerMinute: count
      .nullable()
      .meta({ description: "of its own; null where the organisation's limit applies" }),
    requestsPerDay: count.nullable(),
    issuedBy: id
      .nullable()
      .meta({ description: 'the id of the key that issued it; null if an operator did' }),
  })
  .meta({ id: 'ApiKey' });

const key = z.string().meta({
  pattern: '^svc_live_[0-9A-Za-z]{32}$',
  description: 'the whole key; it is shown this once',
});

export const apiKeyList = z.object({ success, data: z.array(apiKeyData), meta: pageMeta });

export const issuedApiKey = z.object({
  success,
  data: apiKeyData.extend({ key }).meta({ id: 'IssuedApiKey' }),
});

export const revokedApiKey = z.object({ success, data: z.object({ id }) });
