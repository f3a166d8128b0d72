import type { RouteDescription } from '../route-description.ts';
import { ErrorResponses, errorResponse, usageSchema } from './error-responses.ts';
import { guide } from './guide.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { type JsonObject, JsonSchemas } from './json-schemas.ts';
import { type Components, operationOf } from './operation.ts';
import { tagDescriptions } from './tags.ts';
import { webhookParameters, webhooksOf } from './webhooks.ts';

/** Version of the API description. */
export const contractVersion = '1.14.0';

/** Routes below each of the bases, and at the root of the host. */
export interface Routes<Each = RouteDescription> {
  readonly bases: readonly string[];
  readonly based: readonly Each[];
  readonly root: readonly Each[];
}

/**
 * Builds the OpenAPI 3.1 document from the schemas with which the routes validate. `publicUrl` is
 * the address of the service, without a trailing slash.
 */
export function openApiDocument(routes: Routes, publicUrl: string): JsonObject {
  const schemas = new JsonSchemas();
  const errors = new ErrorResponses();
  const components = { schemas, errors };
  const based = pathsOf(routes.based, components);
  const root = [...pathsOf(routes.root, components)].map(([path, operations]): [string, object] => [
    path,
    { servers: [{ url: publicUrl, description: 'the root of the host' }], ...operations },
  ]);
  const paths = Object.fromEntries([...based, ...root]);
  const webhooks = webhooksOf(schemas);
  const { Allow: _, ...headers } = responseHeaders;
  const descriptions = [
    'the primary base URL',
    'the mirror for browsers: the same routes, with CORS for pages of any origin',
  ];
  return {
    openapi: '3.1.1',
    info: {
      title: 'Proofmark',
      version: contractVersion,
      summary:
        'Permanent, independently verifiable proof that a file existed, unchanged, at a moment.',
      description: guide,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: routes.bases.map((base, index) => ({
      url: `${publicUrl}${base}`,
      description: descriptions[index] ?? '',
    })),
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey },
      parameters: {
        ...Object.fromEntries(
          Object.entries(requestHeaders).map(([name, header]) => [
            name,
            { name, in: 'header', required: false, ...header },
          ]),
        ),
        ...webhookParameters,
      },
      headers,
      responses: Object.fromEntries([...errors.components].sort()),
      schemas: { ...Object.fromEntries([...schemas.components].sort()), Usage: usageSchema },
    },
    'x-unmatched-requests': unmatched,
  };
}

function pathsOf(
  routes: readonly RouteDescription[],
  components: Components,
): ReadonlyMap<string, Record<string, object>> {
  const paths = new Map<string, Record<string, object>>();
  for (const route of routes) {
    const path = templateOf(route);
    const operation = { [route.method.toLowerCase()]: operationOf(route, components) };
    paths.set(path, { ...paths.get(path), ...operation });
  }
  return paths;
}

/** Path of a route in OpenAPI syntax. */
export function templateOf({ path }: RouteDescription): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'svc_live_ followed by 32 alphanumeric characters',
  description:
    '`Authorization: Bearer <API_KEY>`. Each operation names the scope that the key must have. Keys ' +
    'are created by owners of the organisation in the console, by the operator of the service, or with a ' +
    'key that has `api-keys:manage`. ' +
    'The last six characters of a key are a checksum.',
};

/** Answers to requests that match no operation of this document. */
const unmatched = {
  404: errorResponse(404, ['NOT_FOUND']),
  405: errorResponse(405, ['METHOD_NOT_ALLOWED']),
};
