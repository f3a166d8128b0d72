import { z } from 'zod';
import { scopes } from '../../domain/key/scope.ts';
import { networks } from '../../domain/network.ts';
import { hashSchemes } from '../../domain/proof/hash-scheme.ts';
import { success, url } from '../../views/output-fields.ts';

const texts = z.array(z.string());

const baseUrls = z.object({
  base_url: url.meta({ description: 'the primary base URL' }),
  cors_base_url: url.meta({ description: 'the mirror for browsers: the same routes, with CORS' }),
  api_root: url.meta({ description: 'the root of the host' }),
  public_verify_url: z.string().meta({ description: 'replace {txHash} by the transaction hash' }),
  openapi_url: url,
  reference_url: url.meta({ description: 'the reference for people, with examples of every call' }),
  mcp_url: url.meta({ description: 'the same service for agents, by the Model Context Protocol' }),
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

const endpointSkeleton = z
  .object({
    operationId: z.string(),
    method: z.string(),
    path: z
      .string()
      .meta({ description: 'relative to base_url, or to api_root; url has the complete address' }),
    url: z.string().meta({ description: 'the complete address, with path parameters in braces' }),
    scope: z.enum(scopes).nullable(),
    summary: z.string(),
    parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean() })),
    contentType: z
      .string()
      .nullable()
      .meta({ description: 'media type of the request body; null if the call has no body' }),
    requiredFields: texts,
    exampleBody: z.unknown(),
    success: z.array(z.int()).meta({ description: 'statuses of successful answers' }),
  })
  .meta({ id: 'EndpointSkeleton' });

const rateLimits = z.object({
  requestsPerMinute: z.int().meta({ description: 'per key, unless other limits were agreed' }),
  requestsPerDay: z.int(),
  organisationRequestsPerMinute: z.int().meta({
    description: 'for all keys of an organisation together, unless other limits were agreed',
  }),
  organisationRequestsPerDay: z.int(),
  itemsPerDay: z.int().meta({ description: 'hashes in batches, per key' }),
  organisationItemsPerDay: z
    .int()
    .meta({ description: 'hashes in batches, for all keys of an organisation together' }),
  withoutKeyPerMinute: z
    .int()
    .meta({ description: 'per client address, for calls that need no key' }),
  costlierCalls: z
    .array(z.object({ operationId: z.string(), cost: z.string() }))
    .meta({ description: 'operations that may count as more than one request, and when' }),
  headers: texts,
  onExceeded: z.string(),
});

const recipe = z
  .object({
    name: z.string(),
    when: z.string(),
    hashSchemes: z.array(z.enum(hashSchemes)),
    needs: z.record(z.string(), z.string()).meta({
      description: 'the environment variables that the commands need, each with its meaning',
    }),
    steps: z.array(
      z.object({
        run: z.string().meta({ description: 'a command for sh' }),
        gives: z.string().meta({ description: 'a name for the output of the command' }),
      }),
    ),
    expect: z.array(z.object({ value: z.string(), equals: z.unknown() })).meta({
      description:
        'value: the output of a step, or a member of that output if it is JSON; equals: the expected ' +
        'value, or in braces the output of another step',
    }),
  })
  .meta({ id: 'VerificationRecipe' });

const webhooks = z.object({
  register: z.string(),
  headers: z.array(z.object({ name: z.string(), description: z.string() })),
  signature: z.object({
    standard: z.string(),
    rule: z.string(),
    run: z.string().meta({
      description: 'a command for sh that prints the signature in base64, without v1,',
    }),
    needs: z.record(z.string(), z.string()).meta({
      description: 'the environment variables that the command needs, each with its meaning',
    }),
    example: z
      .object({ secret: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })
      .meta({ description: 'a signed delivery, to test a receiver with' }),
  }),
  answer: z.string(),
  events: z.array(
    z.object({ kind: z.string(), when: z.string(), content: z.string(), example: z.unknown() }),
  ),
});

const anchoringAccount = z
  .object({
    network: z.enum([...networks, 'standalone']).meta({
      description: 'standalone: a development ledger that only this service keeps',
    }),
    address: z.string(),
    status: z.enum(['current', 'retired']).meta({
      description:
        'retired: the service no longer anchors from this account; its earlier proofs still verify',
    }),
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
      version: z.string().meta({ description: 'version of this quickstart' }),
      contractVersion: z.string().meta({ description: 'version of the API description' }),
      summary: z.string(),
      baseUrls,
      auth,
      workspaces: texts.meta({ description: 'how a caller gets the id of a workspace' }),
      endpoints: z.array(endpointSkeleton),
      rateLimits,
      verification: z.object({
        rule: z.string(),
        recipes: z.array(recipe),
        verifier: z
          .object({
            url: url.meta({ description: 'one file for Python 3.8 or newer; it asks no server' }),
            sha256: z.string().meta({ description: 'of the file, in lower-case hexadecimal' }),
            historyUrl: url.meta({
              description:
                'the newest 50 verifiers that were offered, with their places in the log',
            }),
          })
          .meta({ description: 'the verifier for people who install nothing' }),
      }),
      webhooks,
      security: texts,
      anchoringAccounts: z.array(anchoringAccount).meta({
        description: 'pin these accounts: every proof of this service was sent by one of them',
      }),
      logKeys: texts.meta({
        description:
          'pin these keys, which verify checkpoints and certificates: NAME+ID+KEY, newest first. After a ' +
          'restore, the log continues under a new name; keys of earlier names stay valid',
      }),
      issuerKeys: texts.meta({
        description:
          'pin these keys, which verify the signatures of certificates since version 6 of the bundle: ' +
          'NAME+ID+KEY, newest first, without compromised ones. GET /issuer-keys has all keys, with their times',
      }),
      errors: z.array(errorCode),
    })
    .meta({ id: 'Quickstart' }),
});

export type Quickstart = z.output<typeof quickstartResponse>['data'];
export type EndpointSkeleton = z.output<typeof endpointSkeleton>;
export type Recipe = z.output<typeof recipe>;
export type AnchoringAccount = z.output<typeof anchoringAccount>;
