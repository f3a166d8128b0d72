import type { Route } from '../route.ts';
import { ErrorResponses, errorResponse, usageSchema } from './error-responses.ts';
import { guide } from './guide.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { type JsonObject, JsonSchemas } from './json-schemas.ts';
import { type Components, operationOf } from './operation.ts';
import { tagDescriptions } from './tags.ts';

/** The version of the contract that the document describes. */
export const contractVersion = '1.14.0';

/** Where routes are: below each of the bases, or at the root of the host. */
export interface Routes {
  readonly bases: readonly string[];
  readonly based: readonly Route[];
  readonly root: readonly Route[];
}

/**
 * The OpenAPI 3.1 document of the routes: of the very schemas that they validate with. `publicUrl` is
 * where the service is reached, without a slash at its end.
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
  const { Allow: _, ...headers } = responseHeaders;
  const descriptions = [
    'the primary base',
    'the mirror: the same, with CORS for pages of any origin',
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
    components: {
      securitySchemes: { apiKey },
      parameters: Object.fromEntries(
        Object.entries(requestHeaders).map(([name, header]) => [
          name,
          { name, in: 'header', required: false, ...header },
        ]),
      ),
      headers,
      responses: Object.fromEntries([...errors.components].sort()),
      schemas: { ...Object.fromEntries([...schemas.components].sort()), Usage: usageSchema },
    },
    'x-unmatched-requests': unmatched,
  };
}

function pathsOf(
  routes: readonly Route[],
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

/** The path of a route as OpenAPI writes it. */
export function templateOf({ path }: Route): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'svc_live_ and 32 alphanumeric characters',
  description:
    '`Authorization: Bearer <API_KEY>`. Each operation names the scope that the key must have. Keys are ' +
    'created by a human account owner, or by a key with `api-keys:manage`; their last six characters ' +
    'are a checksum.',
};

/** What is answered where no operation of this document is called. */
const unmatched = {
  404: errorResponse(404, ['NOT_FOUND']),
  405: errorResponse(405, ['METHOD_NOT_ALLOWED']),
};
