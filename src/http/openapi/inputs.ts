import type { Input } from '../input.ts';
import type { RouteDescription } from '../route-description.ts';
import type { JsonObject, JsonSchemas } from './json-schemas.ts';

/** A field of a path or a query. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: unknown;
  readonly schema: JsonObject;
}

/** Path and query parameters of a route. */
export function parametersOf(
  { params, query }: RouteDescription,
  schemas: JsonSchemas,
): Parameter[] {
  return [...fieldsOf(params, 'path', schemas), ...fieldsOf(query, 'query', schemas)];
}

function fieldsOf(
  input: Input<unknown> | undefined,
  where: Parameter['in'],
  schemas: JsonSchemas,
): Parameter[] {
  if (input === undefined) return [];
  // A path or a query is an object of fields.
  const { properties = {}, required = [] } = schemas.of(input.schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

/** Request body of a route, with an example. */
export interface RequestBody {
  readonly contentType: 'application/json' | 'multipart/form-data';
  readonly schema: JsonObject;
  readonly example: object;
}

/** Returns null for a route without a body. */
export function requestBodyOf(route: RouteDescription, schemas: JsonSchemas): RequestBody | null {
  if ('form' in route) {
    const { schema, example } = route.form;
    const fields = schemas.of(schema, 'input') as ObjectSchema;
    const whole = {
      ...fields,
      properties: { file, ...fields.properties },
      required: ['file', ...(fields.required ?? [])],
    };
    return {
      contentType: 'multipart/form-data',
      schema: whole,
      example: { file: 'Proofmark', ...example },
    };
  }
  if (!('body' in route) || route.body === undefined) return null;
  const { schema, example } = route.body;
  const body = nullsAllowed(schemas.of(schema, 'input'));
  return { contentType: 'application/json', schema: body, example };
}

/** Permits null for optional members, where null counts as absent. */
function nullsAllowed(schema: JsonObject): JsonObject {
  const { properties, required = [] } = schema as ObjectSchema;
  if (properties === undefined) return schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const inner = nullsAllowed(member);
    return [name, required.includes(name) ? inner : orNull(inner)];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf, $ref, description } = schema;
  if (typeof type === 'string' && values === undefined) return { ...schema, type: [type, 'null'] };
  const isFree = [type, values, anyOf, $ref].every((part) => part === undefined);
  const hasNull = JSON.stringify([type, anyOf]).includes('"null"');
  if (isFree || hasNull) return schema;
  const { description: _, ...form } = schema;
  return { ...(description !== undefined && { description }), anyOf: [form, { type: 'null' }] };
}

const file = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description:
    'The file: exactly one part, with a file name of at most 255 characters. At most 100 MB, unless ' +
    'the operator has set another limit.',
};
