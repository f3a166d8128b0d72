import { z } from 'zod';
import { scopes } from '../../domain/key/scope.ts';
import { count, id, success, time, untrusted } from '../../views/output-fields.ts';
import { pageMeta } from '../../views/page-meta.ts';

const scope = z
  .enum(scopes, { error: `must be one of ${scopes.join(', ')}` })
  .meta({ id: 'Scope' });

export const keyScopes = z
  .array(scope, { error: 'must be an array of scopes' })
  .min(1, { error: 'must name at least one scope' })
  .meta({ description: 'scopes that the requesting key has; duplicates are ignored' });

export const apiKeyData = z
  .object({
    id,
    prefix: z
      .string()
      .meta({ description: 'the first characters of the key, to recognise the key' }),
    name: untrusted.nullable().meta({ description: 'untrusted' }),
    scopes: z.array(scope),
    agent: z.boolean(),
    status: z
      .enum(['valid', 'expired', 'revoked'])
      .meta({ description: 'only calls with a valid key are accepted' }),
    createdAt: time,
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable().meta({
      description:
        'time of the latest call with the key, accurate to a minute; null if there was none',
    }),
    requestsPerMinute: count
      .nullable()
      .meta({ description: "the limit of this key; null if the organisation's limit applies" }),
    requestsPerDay: count.nullable(),
    issuedBy: id.nullable().meta({
      description:
        'id of the key that issued this key; null if an operator or an owner in the console did',
    }),
  })
  .meta({ id: 'ApiKey' });

const key = z.string().meta({
  pattern: '^svc_live_[0-9A-Za-z]{32}$',
  description: 'the complete key; shown in this answer only',
});

export const apiKeyList = z.object({ success, data: z.array(apiKeyData), meta: pageMeta });

export const issuedApiKey = z.object({
  success,
  data: apiKeyData.extend({ key }).meta({ id: 'IssuedApiKey' }),
});

export const revokedApiKey = z.object({ success, data: z.object({ id }) });
