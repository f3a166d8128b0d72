import { z } from 'zod';
import { scopes } from '../domain/key/scope.ts';

const scope = z.enum(scopes, { error: `must be one of ${scopes.join(', ')}` });

export const keyScopes = z
  .array(scope, { error: 'must be an array of scopes' })
  .min(1, { error: 'must name at least one scope' })
  .meta({ description: 'only scopes of the key that asks; one that is named twice counts once' });

export const apiKeyData = z.object({
  id: z.string(),
  prefix: z.string().meta({ description: 'the first characters of the key, to recognise it by' }),
  name: z.string().nullable(),
  scopes: z.array(scope),
  agent: z.boolean(),
  status: z
    .enum(['valid', 'expired', 'revoked'])
    .meta({ description: 'whether calls are taken with it' }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  requestsPerMinute: z
    .int()
    .nullable()
    .meta({ description: "of its own; null where the organisation's limit applies" }),
  requestsPerDay: z.int().nullable(),
});

const key = z.string().meta({ description: 'the whole key; it is shown this once' });

export const apiKeyList = z.object({ success: z.literal(true), data: z.array(apiKeyData) });
export const issuedApiKey = z.object({
  success: z.literal(true),
  data: apiKeyData.extend({ key }),
});
export const revokedApiKey = z.object({
  success: z.literal(true),
  data: z.object({ id: z.string() }),
});
