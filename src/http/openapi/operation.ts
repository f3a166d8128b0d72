import type { Input } from '../input.ts';
import { isLimited, type ResponseSpec, type Route } from '../route.ts';
import { codesOf } from './codes-of.ts';
import type { ErrorResponses } from './error-responses.ts';
import { headerRefs } from './headers.ts';
import type { JsonObject, JsonSchemas } from './json-schemas.ts';

/** What operations share. */
export interface Components {
  readonly schemas: JsonSchemas;
  readonly errors: ErrorResponses;
}

/** The operation object of a route. */
export function operationOf(route: Route, { schemas, errors }: Components): JsonObject {
  const { operationId, tag, summary, description, scope, responses } = route;
  const answers = Object.entries(responses).map(([status, spec]) => [
    status,
    responseOf(spec, isLimited(route), schemas),
  ]);
  const parameters = parametersOf(route, schemas);
  const requestBody = requestBodyOf(route, schemas);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: scope === null ? [] : [{ apiKey: [scope] }],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    // What a route says of a status itself goes before what is common.
    responses: { ...Object.fromEntries(errors.of(codesOf(route))), ...Object.fromEntries(answers) },
  };
}

function parametersOf({ params, query, headers = [] }: Route, schemas: JsonSchemas): object[] {
  return [
    ...fieldsOf(params, 'path', schemas),
    ...fieldsOf(query, 'query', schemas),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function fieldsOf(
  input: Input<unknown> | undefined,
  where: 'path' | 'query',
  schemas: JsonSchemas,
): object[] {
  if (input === undefined) return [];
  // A path or a query is an object of fields.
  const { properties = {}, required = [] } = schemas.of(input.schema, 'input') as {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function requestBodyOf(route: Route, schemas: JsonSchemas): JsonObject | null {
  if ('form' in route) {
    const { schema, example } = route.form;
    const fields = schemas.of(schema, 'input') as { properties?: object; required?: string[] };
    const whole = {
      ...fields,
      properties: { file, ...fields.properties },
      required: ['file', ...(fields.required ?? [])],
    };
    const parts = { schema: whole, example: { file: 'Proofmark', ...example } };
    return { required: true, content: { 'multipart/form-data': parts } };
  }
  if (route.body === undefined) return null;
  const { schema, example } = route.body;
  const content = { 'application/json': { schema: schemas.of(schema, 'input'), example } };
  return { required: true, content };
}

const file = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description:
    'The bytes, with a file name of at most 255 characters: one part alone; 100 MB unless the operator ' +
    'says otherwise.',
};

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
