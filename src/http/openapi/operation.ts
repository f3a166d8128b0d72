import { costOf } from '../limits/call-cost.ts';
import { isLimited, type ResponseSpec, type RouteDescription } from '../route-description.ts';
import { codesOf } from './codes-of.ts';
import type { ErrorResponses } from './error-responses.ts';
import { headerRefs } from './headers.ts';
import { parametersOf, type RequestBody, requestBodyOf } from './inputs.ts';
import type { JsonObject, JsonSchemas } from './json-schemas.ts';

/** Components that operations share. */
export interface Components {
  readonly schemas: JsonSchemas;
  readonly errors: ErrorResponses;
}

/** The operation object of a route. */
export function operationOf(route: RouteDescription, { schemas, errors }: Components): JsonObject {
  const { operationId, tag, summary, scope, responses } = route;
  const descriptions = [route.description, costOf(route)?.description];
  const description = descriptions.filter((text) => text !== undefined).join('\n\n');
  const answers = Object.entries(responses).map(([status, spec]) => [
    status,
    responseOf(spec, isLimited(route), schemas),
  ]);
  const parameters = [
    ...parametersOf(route, schemas),
    ...(route.headers ?? []).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  const body = requestBodyOf(route, schemas);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== '' && { description }),
    security: scope === null ? [] : [{ apiKey: [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: toRequestBody(body) }),
    // A route's own response for a status replaces the common one.
    responses: { ...Object.fromEntries(errors.of(codesOf(route))), ...Object.fromEntries(answers) },
  };
}

function toRequestBody({ contentType, schema, example }: RequestBody): JsonObject {
  return { required: true, content: { [contentType]: { schema, example } } };
}

function responseOf(spec: ResponseSpec, limited: boolean, schemas: JsonSchemas): JsonObject {
  const headers = headerRefs([
    'X-Request-Id',
    ...(limited ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
    ...(spec.headers ?? []),
  ]);
  const content = contentOf(spec, schemas);
  return { description: spec.description, headers, ...(content && { content }) };
}

function contentOf(spec: ResponseSpec, schemas: JsonSchemas): JsonObject | null {
  if ('empty' in spec) return null;
  if ('schema' in spec) {
    const { schema, example } = spec;
    return { 'application/json': { schema: schemas.of(schema, 'output'), example } };
  }
  const { mediaType, example } = spec;
  const schema = { type: 'string', format: 'binary', contentMediaType: mediaType };
  return { [mediaType]: { schema, example } };
}
