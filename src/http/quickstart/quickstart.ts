import { verifierProgram } from '../../certificates/verifier-program.ts';
import { scopes, scopesBarredToAgents } from '../../domain/key/scope.ts';
import {
  defaultTotalRequestLimits,
  totalItemsPerDay,
} from '../../domain/organisation/organisation-limits.ts';
import { defaultRequestLimits } from '../../domain/organisation/plan.ts';
import { errorAdvice } from '../errors/error-advice.ts';
import { type ErrorCode, statusOf } from '../errors/error-code.ts';
import { costOf } from '../limits/call-cost.ts';
import type { CallLimits } from '../limits/limit-calls.ts';
import { codesOf } from '../openapi/codes-of.ts';
import { contractVersion, type Routes } from '../openapi/openapi-document.ts';
import type { RouteDescription } from '../route-description.ts';
import { endpointSkeletons } from './endpoint-skeletons.ts';
import type { Quickstart } from './quickstart-schema.ts';
import { verificationRecipes, verificationRule } from './recipes.ts';
import { safetyRules } from './safety-rules.ts';
import { webhookGuide } from './webhook-guide.ts';
import { workspaceRules } from './workspace-rules.ts';

/** Version of the curated description that GET /docs returns. */
const quickstartVersion = '1.0.0';

/** The part of the quickstart that does not change while the service runs. */
type Constant = Omit<Quickstart, 'anchoringAccounts' | 'logKeys' | 'issuerKeys'>;

/**
 * Builds the quickstart on first use: the public URL may not be known before the server listens.
 */
export function createQuickstart(
  routes: Routes,
  services: DefaultLimits & { readonly publicUrl: () => string },
): () => Constant {
  let made: Constant | undefined;
  return () => {
    made ??= quickstart(routes, services.publicUrl(), services);
    return made;
  };
}

type DefaultLimits = Pick<CallLimits, 'addressRequestsPerMinute' | 'itemsPerDay'>;

function quickstart(routes: Routes, apiRoot: string, limits: DefaultLimits): Constant {
  const [baseUrl = apiRoot, corsBaseUrl = apiRoot] = routes.bases.map((base) => apiRoot + base);
  const verifyUrl = `${apiRoot}/api/public/verify`;
  const all = [...routes.based, ...routes.root];
  return {
    name: 'Proofmark',
    version: quickstartVersion,
    contractVersion,
    summary:
      'Compute the SHA-256 of a file on the computer that has the file, POST the hash to ' +
      '{base_url}/proofs with the id of a workspace (see workspaces), and keep proofId, txHash and ' +
      'proofNonce of the answer.',
    baseUrls: {
      base_url: baseUrl,
      cors_base_url: corsBaseUrl,
      api_root: apiRoot,
      public_verify_url: `${verifyUrl}/{txHash}`,
      openapi_url: `${baseUrl}/openapi.json`,
      reference_url: `${apiRoot}/reference`,
      mcp_url: `${apiRoot}/mcp`,
    },
    auth: authOf(all),
    workspaces: workspaceRules(baseUrl),
    endpoints: endpointSkeletons(routes, { baseUrl, apiRoot }),
    rateLimits: {
      requestsPerMinute: defaultRequestLimits.perMinute,
      requestsPerDay: defaultRequestLimits.perDay,
      organisationRequestsPerMinute: defaultTotalRequestLimits.perMinute,
      organisationRequestsPerDay: defaultTotalRequestLimits.perDay,
      itemsPerDay: limits.itemsPerDay,
      organisationItemsPerDay: totalItemsPerDay(limits.itemsPerDay),
      withoutKeyPerMinute: limits.addressRequestsPerMinute,
      costlierCalls: all.flatMap((route) => {
        const cost = costOf(route)?.description;
        return cost === undefined ? [] : [{ operationId: route.operationId, cost }];
      }),
      headers: ['RateLimit-Policy', 'RateLimit', 'Retry-After'],
      onExceeded:
        '429 RATE_LIMIT_EXCEEDED: wait for Retry-After seconds, then try once more. Some keys and ' +
        'organisations have other limits: the headers and the 429 are authoritative. Too many concurrent ' +
        'calls of one organisation are answered with 429 too: let some of them end before you send more.',
    },
    verification: {
      rule: verificationRule,
      recipes: verificationRecipes(baseUrl, verifyUrl),
      verifier: {
        url: `${apiRoot}/verify.py`,
        sha256: verifierProgram().sha256,
        historyUrl: `${apiRoot}/log/verifiers`,
      },
    },
    webhooks: webhookGuide,
    security: [...safetyRules],
    errors: errorsOf(all),
  };
}

function authOf(all: readonly RouteDescription[]): Quickstart['auth'] {
  const idsOf = (scope: RouteDescription['scope']) =>
    all.filter((route) => route.scope === scope).map(({ operationId }) => operationId);
  return {
    scheme: 'bearer',
    header: 'Authorization: Bearer <API_KEY>',
    keyPattern: '^svc_live_[0-9A-Za-z]{32}$',
    keysFrom:
      'Keys are created by owners of the organisation in the console, by the operator of the service, or ' +
      'with a key that has api-keys:manage. ' +
      'API access is part of the professional and enterprise plans.',
    scopes: scopes.map((scope) => ({ scope, operations: idsOf(scope) })),
    withoutKey: idsOf(null),
    recommendedForAgents: ['documents:write', 'certificates:read'],
    neverForAgents: [...scopesBarredToAgents],
  };
}

function errorsOf(all: readonly RouteDescription[]): Quickstart['errors'] {
  const anywhere: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];
  const can = new Set([...all.flatMap(codesOf), ...anywhere]);
  // The table's keys are its codes.
  const codes = (Object.keys(statusOf) as ErrorCode[]).filter((code) => can.has(code));
  return codes.map((code) => {
    const { meaning, retry } = errorAdvice[code];
    return { code, status: statusOf[code], meaning, retry };
  });
}
