import { z } from 'zod';
import { scopes } from '../../domain/key/scope.ts';
import { networks } from '../../domain/network.ts';
import { hashSchemes } from '../../domain/proof/hash-scheme.ts';
import { success, url } from '../output-fields.ts';

const texts = z.array(z.string());

const baseUrls = z.object({
  base_url: url.meta({ description: 'the primary base' }),
  cors_base_url: url.meta({ description: 'the mirror for browsers: the same, with CORS' }),
  api_root: url.meta({ description: 'the root of the host' }),
  public_verify_url: z.string().meta({ description: 'with {txHash} to be filled in' }),
  openapi_url: url,
});

const auth = z.object({
  scheme: z.literal('bearer'),
  header: z.string(),
  keyPattern: z.string().meta({ description: 'a regular expression' }),
  keysFrom: z.string(),
  scopes: z.array(z.object({ scope: z.enum(scopes), operations: texts })),
  withoutKey: texts.meta({ description: 'operations that need no key' }),
  recommendedForAgents: z.array(z.enum(scopes)),
  neverForAgents: z.array(z.enum(scopes)),
});

export const endpointSkeleton = z
  .object({
    operationId: z.string(),
    method: z.string(),
    path: z.string().meta({ description: 'below base_url, or below api_root where url says so' }),
    url: z.string().meta({ description: 'with parameters in braces' }),
    scope: z.enum(scopes).nullable(),
    summary: z.string(),
    parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() })),
    contentType: z.string().nullable().meta({ description: 'of the body; null: it has none' }),
    requiredFields: texts,
    exampleBody: z.unknown(),
    success: z.array(z.int()).meta({ description: 'statuses that are no error' }),
  })
  .meta({ id: 'EndpointSkeleton' });

const rateLimits = z.object({
  requestsPerMinute: z.int().meta({ description: 'of a key, unless it was given others' }),
  requestsPerDay: z.int(),
  organisationRequestsPerMinute: z.int().meta({
    description: 'of all keys of an organisation together, unless it has other limits',
  }),
  organisationRequestsPerDay: z.int(),
  withoutKeyPerMinute: z.int().meta({ description: 'of an address, to what needs no key' }),
  costlierCalls: z
    .array(z.object({ operationId: z.string(), cost: z.string() }))
    .meta({ description: 'operations that may count as more than one request, and when' }),
  headers: texts,
  onExceeded: z.string(),
});

export const recipe = z
  .object({
    name: z.string(),
    when: z.string(),
    hashSchemes: z.array(z.enum(hashSchemes)),
    needs: z
      .record(z.string(), z.string())
      .meta({ description: 'environment variables of the commands, and what they are' }),
    steps: z.array(
      z.object({
        run: z.string().meta({ description: 'a command for sh' }),
        gives: z.string().meta({ description: 'name of what it prints' }),
      }),
    ),
    expect: z.array(z.object({ value: z.string(), equals: z.unknown() })).meta({
      description:
        'value: what a step gives, or a member of the JSON that it gives; equals: the same of ' +
        'another step in braces, or itself',
    }),
  })
  .meta({ id: 'VerificationRecipe' });

const anchoringAccount = z
  .object({
    network: z.enum(networks),
    address: z.string(),
    status: z
      .enum(['current', 'retired'])
      .meta({ description: 'retired: nothing more is anchored from it; what was still verifies' }),
  })
  .meta({ id: 'AnchoringAccount' });

const errorCode = z.object({
  code: z.string(),
  status: z.int(),
  meaning: z.string(),
  retry: z.string(),
});

export const quickstartResponse = z.object({
  success,
  data: z
    .object({
      name: z.literal('Proofmark'),
      version: z.string(),
      contractVersion: z.string(),
      summary: z.string(),
      baseUrls,
      auth,
      endpoints: z.array(endpointSkeleton),
      rateLimits,
      verification: z.object({ rule: z.string(), recipes: z.array(recipe) }),
      security: texts,
      anchoringAccounts: z
        .array(anchoringAccount)
        .meta({ description: 'pin them: a proof of this service was sent by one of these' }),
      logKeys: texts.meta({
        description:
          'pin them: the keys that verify checkpoints and certificates, as NAME+ID+KEY, newest first. ' +
          'After a restore the log continues under a new name; keys of earlier names stay valid',
      }),
      errors: z.array(errorCode),
    })
    .meta({ id: 'Quickstart' }),
});

export type Quickstart = z.output<typeof quickstartResponse>['data'];
export type EndpointSkeleton = z.output<typeof endpointSkeleton>;
export type Recipe = z.output<typeof recipe>;
export type AnchoringAccount = z.output<typeof anchoringAccount>;
