import { issuerKeyExample } from '../issuer/list-issuer-keys.ts';
import { inclusion } from '../log/inclusion-example.ts';
import { fileHash, workspace } from '../proofs/proof-examples.ts';
import type { Quickstart } from './quickstart-schema.ts';
import { verificationRecipes, verificationRule } from './recipes.ts';
import { safetyRules } from './safety-rules.ts';
import { webhookGuide } from './webhook-guide.ts';
import { workspaceRules } from './workspace-rules.ts';

const apiRoot = 'https://proofs.example.org';
const baseUrl = `${apiRoot}/api/v1`;

/** Example quickstart with only one endpoint and one code. */
export const quickstart: Quickstart = {
  name: 'Proofmark',
  version: '1.0.0',
  contractVersion: '1.14.0',
  summary:
    'Compute the SHA-256 of a file on the computer that has the file, and POST the hash to ' +
    '{base_url}/proofs.',
  baseUrls: {
    base_url: baseUrl,
    cors_base_url: `${apiRoot}/api/public/v1`,
    api_root: apiRoot,
    public_verify_url: `${apiRoot}/api/public/verify/{txHash}`,
    openapi_url: `${baseUrl}/openapi.json`,
    reference_url: `${apiRoot}/reference`,
    mcp_url: `${apiRoot}/mcp`,
  },
  auth: {
    scheme: 'bearer',
    header: 'Authorization: Bearer <API_KEY>',
    keyPattern: '^svc_live_[0-9A-Za-z]{32}$',
    keysFrom:
      'Keys are created by owners of the organisation in the console, by the operator of the service, or ' +
      'with a key that has api-keys:manage.',
    scopes: [{ scope: 'documents:write', operations: ['createProof'] }],
    withoutKey: ['verifyTransaction'],
    recommendedForAgents: ['documents:write', 'certificates:read'],
    neverForAgents: ['webhooks:manage', 'api-keys:manage', 'links:manage'],
  },
  workspaces: [...workspaceRules(baseUrl)],
  endpoints: [
    {
      operationId: 'createProof',
      method: 'POST',
      path: '/proofs',
      url: `${baseUrl}/proofs`,
      scope: 'documents:write',
      summary: 'Proves a file by its hash',
      parameters: [],
      contentType: 'application/json',
      requiredFields: ['hash', 'workspace'],
      exampleBody: { hash: fileHash, workspace },
      success: [200, 201, 202],
    },
  ],
  rateLimits: {
    requestsPerMinute: 60,
    requestsPerDay: 10_000,
    organisationRequestsPerMinute: 600,
    organisationRequestsPerDay: 100_000,
    itemsPerDay: 10_000,
    organisationItemsPerDay: 100_000,
    withoutKeyPerMinute: 600,
    costlierCalls: [
      {
        operationId: 'recordAgentRun',
        cost: 'The call counts as one request for each MB of its `Content-Length`, rounded up.',
      },
    ],
    headers: ['RateLimit-Policy', 'RateLimit', 'Retry-After'],
    onExceeded: '429 RATE_LIMIT_EXCEEDED: wait for Retry-After seconds, then try once more.',
  },
  verification: {
    rule: verificationRule,
    recipes: verificationRecipes(baseUrl, `${apiRoot}/api/public/verify`),
    verifier: {
      url: `${apiRoot}/verify.py`,
      sha256: '568e8c8e97db57188016cda54e026726cf8ffeb18307184009d13c0d52de32f5',
      historyUrl: `${apiRoot}/log/verifiers`,
    },
  },
  webhooks: { ...webhookGuide, events: webhookGuide.events.slice(0, 1) },
  security: [...safetyRules],
  anchoringAccounts: [
    { network: 'mainnet', address: 'rLUEXYuLiQptky37CqLcm9USQpPiz5rkpD', status: 'current' },
  ],
  logKeys: [...inclusion.logKeys],
  issuerKeys: [issuerKeyExample],
  errors: [{ code: 'INVALID_HASH', status: 400, meaning: 'The hash is malformed.', retry: 'no' }],
};
